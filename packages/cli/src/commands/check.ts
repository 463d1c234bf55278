import { countDiagnostics, readDirectory } from "@mdx-ai/directory";
import { checkDirectory, type FileFix } from "@mdx-ai/directory/checking";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { checkReport, checkText, missingTypeScriptText } from "../checking/check-text.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, UsageError } from "../failures/program-error.ts";
import { shownPath } from "../output/diagnostics-text.ts";

/**
 * `mdx-ai check`: prints all diagnostics of a directory, including those of its types; the exit code is 2 if one is an error.
 * `--strict` prints notes, too; `--fix` applies the safe fixes first; `--watch` checks again after every change.
 */
export async function runCheck(args: ParsedArguments, context: CommandContext): Promise<number> {
  const path = args.positionals[0] ?? ".";
  const isJson = args.switches.has("json");
  const fixes = args.switches.has("fix");
  const isStrict = args.switches.has("strict");
  const signal = context.interruption.listen();
  if (args.switches.has("watch")) {
    if (fixes) throw new UsageError("--fix and --watch do not go together; run one after the other");
    const { showChecks } = await import("../checking/watch-checks.ts");
    return showChecks(path, context, { signal, isJson, isStrict });
  }
  const fixed = fixes ? await fix(path, context, isJson) : undefined;
  const check = await checkDirectory(path, context, { signal, isStrict });
  context.stderr.write(missingTypeScriptText(check, context));
  context.stdout.write(
    isJson ? `${jsonText(checkReport(check, fixed), 2)}\n` : checkText(check, context, { given: path, isFixed: fixes }),
  );
  return countDiagnostics(check.directory.diagnostics).errors > 0 ? EXIT_CODE.usage : EXIT_CODE.done;
}

async function fix(path: string, context: CommandContext, isJson: boolean): Promise<readonly FileFix[]> {
  const { fixDirectory } = await import("@mdx-ai/directory/checking");
  const { changesText } = await import("../checking/check-text.ts");
  const directory = await readDirectory(path, context);
  const fixes: FileFix[] = [];
  for await (const one of fixDirectory(directory)) {
    fixes.push(one);
    if (isJson) continue;
    context.stdout.write(await changesText(one, plainLine(shownPath(context, directory, one.file)), context.paint));
  }
  return fixes;
}
