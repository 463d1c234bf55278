import { resolve } from "node:path";
import {
  checkDirectory,
  type DirectoryCheck,
  type FileFix,
  type FixOptions,
  watchChecks,
} from "@mdx-ai/directory/checking";
import type { PathsLint } from "@mdx-ai/directory/linting";
import { countDiagnostics, DirectoryError, readDirectory, userSettings } from "@mdx-ai/directory/reading";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import type { Diagnostic } from "@mdx-ai/parser";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { wordOption } from "../arguments/option-values.ts";
import { checkReport, checkText, missingTypeScriptText, uncheckedTypesText } from "../checking/check-text.ts";
import type { HeartbeatCheck } from "../checking/heartbeat-check.ts";
import { repositoryPath } from "../checking/repository-path.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, UsageError } from "../failures/program-error.ts";
import { shownPath } from "../output/diagnostics-text.ts";

/**
 * `mdx-ai check`: prints all diagnostics of an agent directory, including type errors, or of files of other programs. The exit code is 2 if one
 * is an error. `--strict` also prints notes; `--fix` applies the safe fixes first, `--fix=escapes` also removes escapes; `--watch` repeats
 * after every change.
 */
export async function runCheck(args: ParsedArguments, context: CommandContext): Promise<number> {
  const [path = ".", ...others] = args.positionals;
  const format = formatOption(args);
  const isJson = format === "json";
  const fixes = fixOptions(args);
  const isStrict = args.switches.has("strict");
  const signal = context.interruption.listen();
  if (args.switches.has("watch")) {
    checkWatch(args, format, fixes);
    return showChecks(path, context, { signal, isJson, isStrict });
  }
  const ignored = args.lists.get("ignore") ?? [];
  const { lintPaths } = await import("@mdx-ai/directory/linting");
  const lint = await lintPaths([path, ...others], context, { signal, isStrict, ignored });
  if (lint !== undefined) {
    if (fixes !== undefined)
      throw new UsageError("--fix takes one agent directory; files of other programs are not changed");
    return showLint(lint, format, context);
  }
  const fixed = fixes === undefined ? undefined : await fix(path, context, { ...fixes, isJson });
  const check = await checkDirectory(path, context, { signal, isStrict });
  context.stderr.write(missingTypeScriptText(check, context));
  await showSettingsMistakes(check, context);
  const isFixed = fixes !== undefined;
  if (format === "github" || format === "sarif") {
    const { directory } = check;
    const located = directory.diagnostics.map((one) => ({ ...one, file: resolve(directory.path, one.file) }));
    return showLocated(located, format, context);
  }
  const heartbeat = await heartbeatOf(check, context);
  context.stdout.write(
    isJson
      ? `${jsonText(checkReport(check, heartbeat, fixed), 2)}\n`
      : checkText(check, context, { given: path, isFixed, heartbeat }),
  );
  return exitCodeOf(check.directory.diagnostics);
}

const FORMATS = ["text", "json", "github", "sarif"] as const;

type Format = (typeof FORMATS)[number];

function formatOption(args: ParsedArguments): Format {
  const format = wordOption(args, "format", FORMATS);
  if (!args.switches.has("json")) return format ?? "text";
  if (format !== undefined && format !== "json")
    throw new UsageError("--json and --format exclude each other; leave one out");
  return "json";
}

async function showLint(lint: PathsLint, format: Format, context: CommandContext): Promise<number> {
  context.stderr.write(uncheckedTypesText(lint, context));
  if (format === "github" || format === "sarif") return showLocated(lint.diagnostics, format, context);
  const { lintReport, lintText } = await import("../checking/lint-text.ts");
  context.stdout.write(
    format === "json" ? `${jsonText(lintReport(lint, repositoryPath(context)), 2)}\n` : lintText(lint, context),
  );
  return exitCodeOf(lint.diagnostics);
}

/** Prints diagnostics for a service that shows them beside their lines; `file` is absolute. */
async function showLocated(
  diagnostics: readonly Diagnostic[],
  format: "github" | "sarif",
  context: CommandContext,
): Promise<number> {
  const pathOf = repositoryPath(context);
  if (format === "github") {
    const { githubText } = await import("../checking/github-text.ts");
    context.stdout.write(context.keys.text(githubText(diagnostics, pathOf)));
  } else {
    const { sarifLog } = await import("../checking/sarif-log.ts");
    const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
    context.stdout.write(`${jsonText(sarifLog(diagnostics, pathOf, manifest.version), 2)}\n`);
  }
  const { errors, warnings } = countDiagnostics(diagnostics);
  context.stderr.write(`${counted(errors, "error")}, ${counted(warnings, "warning")}\n`);
  return exitCodeOf(diagnostics);
}

const exitCodeOf = (diagnostics: readonly Diagnostic[]): number =>
  countDiagnostics(diagnostics).errors > 0 ? EXIT_CODE.usage : EXIT_CODE.done;

/** Throws `UsageError` for what cannot be repeated after every change. */
function checkWatch({ positionals }: ParsedArguments, format: Format, fixes: FixOptions | undefined): void {
  if (fixes !== undefined) throw new UsageError("--fix and --watch cannot be combined; run one after the other");
  if (positionals.length > 1) throw new UsageError("--watch takes one agent directory");
  if (format === "github" || format === "sarif")
    throw new UsageError(`--watch has no format ${format}; use text or json`);
}

/**
 * Shows the mistakes in the user's settings, with which no agent runs. The exit code does not depend on them: the directory is not
 * to blame.
 */
async function showSettingsMistakes({ directory }: DirectoryCheck, context: CommandContext): Promise<void> {
  await userSettings(directory.path, context).catch((error: unknown) => {
    if (!(error instanceof DirectoryError)) throw error;
    context.stderr.write(`mdx-ai: ${plainLine(error.message)}\n`);
  });
}

/** What the heartbeat will do; undefined without one. */
async function heartbeatOf(
  { directory }: DirectoryCheck,
  context: CommandContext,
): Promise<HeartbeatCheck | undefined> {
  const { definition } = directory;
  if (definition.heartbeat === undefined && definition.settings.schedule === undefined) return undefined;
  const { checkHeartbeat } = await import("../checking/heartbeat-check.ts");
  return checkHeartbeat(definition, context, Date.now());
}

/** Undefined without `--fix`. */
function fixOptions({ switches, values }: ParsedArguments): FixOptions | undefined {
  const kind = values.get("fix");
  if (kind === undefined) return switches.has("fix") ? {} : undefined;
  if (kind !== "escapes") throw new UsageError("--fix takes no value but escapes: write --fix or --fix=escapes");
  return { escapes: true };
}

async function fix(
  path: string,
  context: CommandContext,
  { isJson, escapes = false }: FixOptions & { readonly isJson: boolean },
): Promise<readonly FileFix[]> {
  const { fixDirectory } = await import("@mdx-ai/directory/checking");
  const { changesText } = await import("../checking/check-text.ts");
  const directory = await readDirectory(path, context);
  const fixes: FileFix[] = [];
  for await (const one of fixDirectory(directory, { escapes })) {
    fixes.push(one);
    if (isJson) continue;
    context.stdout.write(await changesText(one, plainLine(shownPath(context, directory, one.file)), context.paint));
  }
  return fixes;
}

interface WatchOptions {
  readonly signal: AbortSignal;
  /** Prints each check as one line of JSON. */
  readonly isJson: boolean;
  readonly isStrict: boolean;
}

/** Clears the screen but keeps the scrollback. */
const CLEAR = "\u001b[2J\u001b[H";

/** Checks a directory now and after every change, until the signal fires or the output is closed. Returns the exit code. */
async function showChecks(
  path: string,
  context: CommandContext,
  { signal, isJson, isStrict }: WatchOptions,
): Promise<number> {
  const { stdout, stderr, interruption } = context;
  const stop = AbortSignal.any([signal, stdout.closed]);
  const clears = stdout.isTerminal && !isJson;
  let warned = "";
  for await (const watched of watchChecks(path, context, { signal: stop, isStrict })) {
    if (watched.check === undefined) {
      stderr.write(`mdx-ai: ${plainLine(watched.failure)}\n`);
      continue;
    }
    const { check, milliseconds } = watched;
    const warning = missingTypeScriptText(check, context);
    if (clears) stdout.write(CLEAR + warning);
    else if (warning !== warned) stderr.write(warning);
    warned = warning;
    const heartbeat = await heartbeatOf(check, context);
    stdout.write(
      isJson
        ? `${jsonText(checkReport(check, heartbeat))}\n`
        : screenText(path, context, { check, heartbeat, milliseconds }),
    );
  }
  return interruption.exitCode ?? EXIT_CODE.done;
}

interface TimedCheck {
  readonly check: DirectoryCheck;
  readonly heartbeat: HeartbeatCheck | undefined;
  readonly milliseconds: number;
}

function screenText(path: string, context: CommandContext, { check, heartbeat, milliseconds }: TimedCheck): string {
  const time = new Date().toTimeString().slice(0, 8);
  const { paint } = context;
  const seconds = (milliseconds / 1000).toFixed(1);
  const foot = paint("dim", `${time} checked in ${seconds} s; watching, Ctrl+C stops`);
  return `${checkText(check, context, { given: path, heartbeat })}${foot}\n`;
}
