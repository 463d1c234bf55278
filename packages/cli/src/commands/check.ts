import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { counted } from "../counted.ts";
import { EXIT_CODE } from "../failures/exit-code.ts";
import { countDiagnostics, type DiagnosticCounts, showDiagnostics } from "../opening/diagnostics-text.ts";
import { readDirectory } from "../opening/read-directory.ts";
import { jsonText } from "../output/json-text.ts";

/** `mdx-ai check`: all diagnostics of a directory on standard output; 2 where one is an error. */
export async function runCheck(args: ParsedArguments, context: CommandContext): Promise<number> {
  const directory = await readDirectory(args.positionals[0] ?? ".", context);
  const counts = countDiagnostics(directory.diagnostics);
  if (args.switches.has("json")) {
    const { path, diagnostics } = directory;
    context.stdout.write(`${jsonText({ path, ...counts, diagnostics }, 2)}\n`);
  } else {
    context.stdout.write(showDiagnostics(directory, { context, output: context.stdout }) + summary(counts));
  }
  return counts.errors > 0 ? EXIT_CODE.usage : EXIT_CODE.done;
}

function summary({ errors, warnings }: DiagnosticCounts): string {
  if (errors === 0 && warnings === 0) return "No mistakes found.\n";
  return `${counted(errors, "error")}, ${counted(warnings, "warning")}\n`;
}
