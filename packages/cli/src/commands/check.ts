import type { ParsedArguments } from "../arguments/command-spec.ts";
import { checkDirectory } from "../checking/check-directory.ts";
import { checkReport, checkText, MISSING_TYPESCRIPT } from "../checking/check-text.ts";
import type { FileFix } from "../checking/fixing/fix-directory.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/exit-code.ts";
import { UsageError } from "../failures/usage-error.ts";
import { countDiagnostics, shownPath } from "../opening/diagnostics-text.ts";
import { readDirectory } from "../opening/read-directory.ts";
import { jsonText } from "../output/json-text.ts";
import { createPaint } from "../output/paint.ts";
import { plainLine } from "../plain-text.ts";

/**
 * `mdx-ai check`: all diagnostics of a directory on standard output, those of its types too; 2 where one is an error. With
 * `--fix` what has one obvious mend is mended before; with `--watch` it is checked again after every change.
 */
export async function runCheck(args: ParsedArguments, context: CommandContext): Promise<number> {
  const path = args.positionals[0] ?? ".";
  const isJson = args.switches.has("json");
  const fixes = args.switches.has("fix");
  const signal = context.interruption.listen();
  if (args.switches.has("watch")) {
    if (fixes) throw new UsageError("--fix and --watch do not go together; run one after the other");
    const { watchChecks } = await import("../checking/watching/watch-checks.ts");
    return watchChecks(path, context, { signal, isJson });
  }
  const fixed = fixes ? await fix(path, context, isJson) : undefined;
  const check = await checkDirectory(path, context, signal);
  if (check.lacksTypeScript) context.stderr.write(MISSING_TYPESCRIPT);
  context.stdout.write(isJson ? `${jsonText(checkReport(check, fixed), 2)}\n` : checkText(check, context));
  return countDiagnostics(check.directory.diagnostics).errors > 0 ? EXIT_CODE.usage : EXIT_CODE.done;
}

async function fix(path: string, context: CommandContext, isJson: boolean): Promise<readonly FileFix[]> {
  const { fixDirectory } = await import("../checking/fixing/fix-directory.ts");
  const { fixText } = await import("../checking/fixing/fix-text.ts");
  const directory = await readDirectory(path, context);
  const fixes = await fixDirectory(directory);
  if (isJson) return fixes;
  const paint = createPaint(context.stdout, context.environment);
  for (const one of fixes) {
    context.stdout.write(await fixText(one, plainLine(shownPath(context, directory, one.file)), paint));
  }
  return fixes;
}
