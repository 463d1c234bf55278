import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { attempt } from "@mdx-ai/base";
import { agentFolder, dataDirectory, isAgentFile, readDirectory, warn } from "@mdx-ai/directory";
import { jsonText } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import { readTrace, type Trace, UnknownSessionError } from "@mdx-ai/sessions";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { dataOption, numberOption, textOption } from "../arguments/option-values.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, UsageError } from "../failures/program-error.ts";
import { writeOutput } from "../output/write-output.ts";
import { newestSessionOf } from "../sessions/newest-session.ts";
import { drawTree, promptNode, traceTree } from "../trace/trace-tree.ts";

/** `mdx-ai trace`: shows what happened in a session. Reads only its journal; runs and changes nothing. */
export async function runTrace(args: ParsedArguments, context: CommandContext): Promise<number> {
  const number = numberOption(args, { name: "prompt", minimum: 1, isWhole: true });
  const page = pageOption(args);
  const directory = args.positionals[0] ?? ".";
  const data = dataOption(args, context);
  requireFolder(directory, context);
  const session = args.values.get("session") ?? newestSessionOf(directory, data, context);
  // Redacted before lines are cut, which could break a key in two.
  const trace = context.keys.value(await requireTrace({ directory, session, data }, context));
  const shown = number === undefined ? trace : onlyPrompt(trace, number);
  if (page !== undefined) {
    // Only the page needs these.
    const { tracePage } = await import("@mdx-ai/server/trace");
    const agent = await agentName(directory, context);
    const html = tracePage(number === undefined ? trace : alone(shown), agent, (text) => context.keys.text(text));
    writeOutput(page === "-" ? undefined : page, html, context);
  } else if (args.switches.has("json")) context.stdout.write(`${jsonText(shown, 2)}\n`);
  else draw(shown, number !== undefined, context);
  return EXIT_CODE.done;
}

/** The page's file, "-" for standard output; undefined without `--html`. */
function pageOption(args: ParsedArguments): string | undefined {
  const output = textOption(args, "html", "a file, or - for standard output");
  if (output === undefined || !args.switches.has("json")) return output;
  throw new UsageError("--json and --html exclude each other; leave one out");
}

function requireFolder(directory: string, context: CommandContext): void {
  const isFolder = attempt(() => statSync(agentFolder(directory, context)))?.isDirectory() ?? false;
  if (isFolder || isAgentFile(directory, context)) return;
  throw new UsageError(`${directory} is not a folder`);
}

async function requireTrace(
  {
    directory,
    session,
    data,
  }: { readonly directory: string; readonly session: string; readonly data: string | undefined },
  context: CommandContext,
): Promise<Trace> {
  const path = agentFolder(directory, context);
  const trace = await readTrace(dataDirectory({ agentDir: path, data, isWriting: false }, context), session);
  if (trace) return trace;
  throw new UnknownSessionError(session);
}

function onlyPrompt(trace: Trace, number: number): Trace {
  const prompts = trace.prompts.filter((prompt) => prompt.number === number);
  if (prompts.length > 0) return { ...trace, prompts };
  throw new UsageError(
    `there is no prompt ${number} in session ${trace.session}; it has ${counted(trace.prompts.length, "prompt")}`,
  );
}

/** The trace of one prompt: its figures, without the steps between prompts. */
const alone = (trace: Trace): Trace => ({
  ...trace,
  cost: trace.prompts[0]?.cost ?? trace.cost,
  compactions: [],
  rewinds: [],
  queued: [],
  agentChanges: [],
  otherSteps: [],
});

/** The name from the definition, else the folder's name. */
async function agentName(directory: string, context: CommandContext): Promise<string> {
  const { definition, diagnostics } = await readDirectory(directory, context);
  const isMissing = diagnostics.some(({ severity }) => severity === "error");
  return isMissing ? basename(resolve(context.currentDirectory, directory)) : definition.identity.name;
}

/** Columns if the output has no width, such as a file. */
const DEFAULT_COLUMNS = 120;

function draw(trace: Trace, isOnePrompt: boolean, context: CommandContext): void {
  const { stdout, keys, paint } = context;
  warnOfDamage(trace, context);
  const trees = isOnePrompt ? trace.prompts.map((prompt) => promptNode(prompt, paint)) : [traceTree(trace, paint)];
  const columns = (stdout.isTerminal && process.stdout.columns) || DEFAULT_COLUMNS;
  stdout.write(keys.text(trees.map((tree) => `${drawTree(tree, columns).join("\n")}\n`).join("")));
}

function warnOfDamage({ damage }: Trace, context: CommandContext): void {
  if (damage.length === 0) return;
  const positions = damage.slice(0, 10).map(({ file, line }) => `${file}:${line}`);
  const more = damage.length > positions.length ? " …" : "";
  warn(context)(`the journal has lines that cannot be read and are not shown: ${positions.join(", ")}${more}`);
}
