import { countDiagnostics, type DiagnosticCounts } from "@mdx-ai/directory";
import type { DirectoryCheck, FileFix } from "@mdx-ai/directory/checking";
import { plainText } from "@mdx-ai/directory/text";
import type { Diagnostic } from "@mdx-ai/parser";
import type { CommandContext } from "../command-context.ts";
import { showDiagnostics } from "../output/diagnostics-text.ts";
import { counted } from "../output/figures.ts";
import type { Paint } from "../output/paint.ts";

/** What `--json` prints. With `--fix`, `fixed` lists the mistakes whose fixes were applied. */
interface CheckReport extends DiagnosticCounts {
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly fixed?: readonly Diagnostic[];
}

/** The report of a check. With `--fix`, `fixes` are the changes that were written. */
export function checkReport({ directory }: DirectoryCheck, fixes?: readonly FileFix[]): CheckReport {
  const { path, diagnostics } = directory;
  const report = { path, ...countDiagnostics(diagnostics), diagnostics };
  return fixes === undefined ? report : { ...report, fixed: fixes.flatMap(({ fixed }) => fixed) };
}

/** The diagnostics and their counts, for people. */
export function checkText({ directory }: DirectoryCheck, context: CommandContext): string {
  const counts = countDiagnostics(directory.diagnostics);
  return showDiagnostics(directory, { surroundings: context, output: context.stdout }) + summaryText(counts);
}

function summaryText({ errors, warnings }: DiagnosticCounts): string {
  if (errors === 0 && warnings === 0) return "No mistakes found.\n";
  return `${counted(errors, "error")}, ${counted(warnings, "warning")}\n`;
}

/** The warning if there is no TypeScript to check the types with. */
export const MISSING_TYPESCRIPT =
  "mdx-ai: the types were not checked: TypeScript 7 is missing. It comes with the package mdx-ai as an optional package and must be installed beside the program; that of an agent directory is never run\n";

/** The number of fixes in a file and its changed lines, before and after, under the heading `path`. */
export async function changesText({ before, after, fixed }: FileFix, path: string, paint: Paint): Promise<string> {
  const { structuredPatch } = await import("diff");
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: 1 });
  const lines = hunks.flatMap(({ oldStart, lines: changed }) => [
    paint("dim", `@@ line ${oldStart} @@`),
    ...changed.filter((line) => !line.startsWith("\\")).map((line) => painted(line, paint)),
  ]);
  return `${paint("bold", path)}: ${counted(fixed.length, "mistake")} fixed\n${lines.join("\n")}\n`;
}

function painted(line: string, paint: Paint): string {
  const text = plainText(line.replace(/\r$/, ""));
  if (line.startsWith("+")) return paint("green", text);
  return line.startsWith("-") ? paint("red", text) : text;
}
