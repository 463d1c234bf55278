import { countDiagnostics, type DiagnosticCounts } from "@mdx-ai/directory";
import type { DirectoryCheck, FileFix } from "@mdx-ai/directory/checking";
import { plainLine, plainText } from "@mdx-ai/directory/text";
import type { Diagnostic } from "@mdx-ai/parser";
import { shellWord } from "@mdx-ai/runtime/files";
import type { CommandContext } from "../command-context.ts";
import { counted } from "../output/figures.ts";
import type { Paint } from "../output/paint.ts";
import { textWidth, wrapped } from "../output/text-width.ts";
import { explainedDiagnostics } from "./explained-diagnostics.ts";
import { checkSummary } from "./next-steps.ts";

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

export interface CheckTextOptions {
  /** The directory as the user named it. */
  readonly given: string;
  /** The fixes have just been applied. */
  readonly isFixed?: boolean;
}

/** The diagnostics, their counts and what can be done next, for people. */
export function checkText(
  check: DirectoryCheck,
  context: CommandContext,
  { given, isFixed = false }: CheckTextOptions,
): string {
  const width = textWidth(context.stdout, context.environment);
  const summary = checkSummary(check, { given, isFixed, width });
  return [...explainedDiagnostics(check, context).map((text) => `${text}\n`), summary].join("\n");
}

/** How wide a text for people may be. */
interface TextContext {
  readonly stderr: Parameters<typeof textWidth>[0];
  readonly environment: CommandContext["environment"];
}

/** What was not checked because TypeScript is missing, and how to get it; "" if nothing is missing. */
export function missingTypeScriptText(
  { directory, lacksTypeScript }: DirectoryCheck,
  { stderr, environment }: TextContext,
): string {
  if (lacksTypeScript === undefined) return "";
  const { tools, modules, program } = directory.definition;
  const unchecked = listed([
    ...(tools.length === 0 ? [] : [counted(tools.length, "tool")]),
    ...(modules.length === 0 ? [] : [counted(modules.length, "module")]),
    ...(program === undefined ? [] : ["the code in the prose of agent.mdx"]),
  ]);
  const text = `mdx-ai: the types of ${unchecked} were not checked: there is no TypeScript 7 beside the program, and that of an agent directory is never run. To install it:`;
  const width = textWidth(stderr, environment);
  const folder = shellWord(plainLine(lacksTypeScript.folder));
  return `${width === undefined ? text : wrapped(text, width)}\n  npm install --prefix ${folder} typescript@7 @types/bun\n`;
}

const listed = (names: readonly string[]): string =>
  [...(names.length > 1 ? [names.slice(0, -1).join(", ")] : []), ...names.slice(-1)].join(" and ");

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
