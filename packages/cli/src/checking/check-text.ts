import { defined, shellWord } from "@mdx-ai/base";
import { type DirectoryCheck, type FileFix, fixableDiagnostics } from "@mdx-ai/directory/checking";
import { countDiagnostics, type DiagnosticCounts } from "@mdx-ai/directory/reading";
import { capitalized, plainLine, plainText } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import type { AgentDirectory, Diagnostic } from "@mdx-ai/parser";
import { directoryWord, runWord } from "../arguments/directory-word.ts";
import type { CommandContext } from "../command-context.ts";
import { diagnosticHead, SEVERITY_COLOURS, shownPath } from "../output/diagnostics-text.ts";
import { textWidth, WIDEST, wrappedProse } from "../output/line-layout.ts";
import type { Paint } from "../output/output.ts";
import { themeOf } from "../output/theme.ts";
import type { HeartbeatCheck } from "./heartbeat-check.ts";
import { markedLine, type SourceFile, sourceExcerpt, sourceFile } from "./source-excerpt.ts";

/** The output of `--json`. With `--fix`, `fixed` lists the mistakes that were fixed. */
interface CheckReport extends DiagnosticCounts {
  readonly path: string;
  /** The files of prose, and whether each is Markdown or MDX. */
  readonly files: AgentDirectory["files"];
  readonly diagnostics: readonly Diagnostic[];
  readonly fixed?: readonly Diagnostic[];
  /** How many escapes were removed, with `--fix=escapes`. */
  readonly escapes?: number;
  /** The tasks of the heartbeat with their next times; absent without a heartbeat. */
  readonly tasks?: HeartbeatCheck["tasks"];
  readonly idle?: HeartbeatCheck["idle"];
}

/** The report of a check. With `--fix`, `fixes` are the written changes. */
export function checkReport(
  { directory }: DirectoryCheck,
  heartbeat?: HeartbeatCheck,
  fixes?: readonly FileFix[],
): CheckReport {
  const { path, files, diagnostics } = directory;
  const { tasks, idle } = heartbeat ?? {};
  const report = { path, files, ...countDiagnostics(diagnostics), diagnostics, ...defined({ tasks, idle }) };
  if (fixes === undefined) return report;
  const escapes = fixes.reduce((sum, fix) => sum + fix.escapes, 0);
  return { ...report, fixed: fixes.flatMap(({ fixed }) => fixed), ...(escapes > 0 && { escapes }) };
}

export interface CheckTextOptions {
  /** The directory as given by the user. */
  readonly given: string;
  /** Whether fixes were just applied. */
  readonly isFixed?: boolean;
  readonly heartbeat?: HeartbeatCheck | undefined;
}

/** The diagnostics, their counts and next steps, for people. */
export function checkText(
  check: DirectoryCheck,
  context: CommandContext,
  { given, isFixed = false, heartbeat }: CheckTextOptions,
): string {
  const width = textWidth(context.stdout, context.environment);
  const summary = `${kindsText(check)}${checkSummary(check, { given, isFixed, width })}`;
  const wakes = heartbeat === undefined ? [] : [context.keys.text(heartbeat.text)];
  const { directory, texts } = check;
  const shown = {
    diagnostics: directory.diagnostics,
    texts,
    pathOf: (file: string) => shownPath(context, directory, file),
  };
  return [...explainedDiagnostics(shown, context).map((text) => `${text}\n`), ...wakes, summary].join("\n");
}

/** Which files are MDX. Markdown is the rule, and not mentioned. */
const kindsText = ({ directory }: DirectoryCheck): string =>
  directory.files
    .filter(({ kind }) => kind === "mdx")
    .map(({ file }) => `${plainLine(file)} is MDX: braces in its prose are code.\n`)
    .join("");

/** The width of text for people. */
interface TextContext {
  readonly stderr: Parameters<typeof textWidth>[0];
  readonly environment: CommandContext["environment"];
}

/** What was not checked because TypeScript is missing and how to install it; "" if it is installed. */
export function missingTypeScriptText({ directory, lacksTypeScript }: DirectoryCheck, view: TextContext): string {
  if (lacksTypeScript === undefined) return "";
  const { tools, modules, program } = directory.definition;
  const unchecked = listed([
    ...(tools.length === 0 ? [] : [counted(tools.length, "tool")]),
    ...(modules.length === 0 ? [] : [counted(modules.length, "module")]),
    ...(program === undefined ? [] : ["the code in the prose of agent.mdx"]),
  ]);
  return installText(`the types of ${unchecked}`, lacksTypeScript.folder, view);
}

function installText(unchecked: string, installFolder: string, { stderr, environment }: TextContext): string {
  const text = `mdx-ai: ${unchecked} were not checked: TypeScript 7 is not installed with mdx-ai, and a copy in an agent directory is never run. To install it:`;
  const width = textWidth(stderr, environment);
  const folder = shellWord(plainLine(installFolder));
  return `${width === undefined ? text : wrappedProse(text, width)}\n  npm install --prefix ${folder} typescript@7 @types/bun\n`;
}

/** The same for several agents at once. */
export const uncheckedTypesText = (
  { lacksTypeScript }: Pick<DirectoryCheck, "lacksTypeScript">,
  view: TextContext,
): string => (lacksTypeScript === undefined ? "" : installText("the types of agents", lacksTypeScript.folder, view));

const listed = (names: readonly string[]): string =>
  [...(names.length > 1 ? [names.slice(0, -1).join(", ")] : []), ...names.slice(-1)].join(" and ");

/** A file's number of fixes and its changed lines, before and after, under the heading `path`. */
export async function changesText(
  { before, after, fixed, escapes }: FileFix,
  path: string,
  paint: Paint,
): Promise<string> {
  const { structuredPatch } = await import("diff");
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: 1 });
  const lines = hunks.flatMap(({ oldStart, lines: changed }) => [
    paint("dim", `@@ line ${oldStart} @@`),
    ...changed.filter((line) => !line.startsWith("\\")).map((line) => painted(line, paint)),
  ]);
  const done = [
    ...(fixed.length > 0 ? [`${counted(fixed.length, "mistake")} fixed`] : []),
    ...(escapes > 0 ? [`${counted(escapes, "escape")} removed`] : []),
  ];
  return `${paint("bold", path)}: ${done.join(", ")}\n${lines.join("\n")}\n`;
}

function painted(line: string, paint: Paint): string {
  const text = plainText(line.replace(/\r$/, ""));
  if (line.startsWith("+")) return paint("green", text);
  return line.startsWith("-") ? paint("red", text) : text;
}

interface SummaryView {
  /** The directory as given by the user. */
  readonly given: string;
  /** Whether fixes were just applied. */
  readonly isFixed: boolean;
  /** Undefined if the output width is unknown. */
  readonly width: number | undefined;
}

/** The result of a check, with the commands to run next. */
function checkSummary(check: DirectoryCheck, { given, isFixed, width }: SummaryView): string {
  const { errors, warnings, notes } = countDiagnostics(check.directory.diagnostics);
  const isFine = errors + warnings + notes === 0;
  const noted = notes === 0 ? "" : `, ${counted(notes, "note")}`;
  const found = isFine ? "No mistakes found." : `${counted(errors, "error")}, ${counted(warnings, "warning")}${noted}`;
  const steps = nextSteps(check, given, isFixed);
  const all = steps.map(({ purpose, command }) => `${purpose}: ${command}`).join("; ");
  const line = all === "" ? found : isFine ? `${found} ${capitalized(all)}` : `${found}; ${all}`;
  if (width === undefined || Bun.stringWidth(line) <= width) return `${line}\n`;
  return [found, ...steps.map((step) => stepLines(step, width))].map((text) => `${text}\n`).join("");
}

interface NextStep {
  readonly purpose: string;
  readonly command: string;
}

function nextSteps({ directory }: DirectoryCheck, given: string, isFixed: boolean): readonly NextStep[] {
  const { diagnostics, definition } = directory;
  const fixable = isFixed ? 0 : fixableDiagnostics(directory).length;
  if (fixable > 0) {
    const which = fixable === diagnostics.length ? (fixable === 1 ? "it" : "all of them") : `${fixable} of them`;
    return [{ purpose: `${which} can be fixed`, command: `mdx-ai check ${directoryWord(given)} --fix` }];
  }
  if (countDiagnostics(diagnostics).errors > 0) return [];
  const run = { purpose: "run it", command: `mdx-ai ${runWord(given)}` };
  const hasTests = definition.tools.some(({ examples }) => examples.length > 0);
  return hasTests ? [{ purpose: "test it", command: `mdx-ai test ${directoryWord(given)}` }, run] : [run];
}

/** Commands are never wrapped, so that they can be copied. */
function stepLines({ purpose, command }: NextStep, width: number): string {
  const line = `  ${purpose}: ${command}`;
  return Bun.stringWidth(line) <= width ? line : `  ${wrappedProse(`${purpose}:`, width, "  ")}\n    ${command}`;
}

interface ExplainedDiagnostics {
  readonly diagnostics: readonly Diagnostic[];
  /** The texts of their files, by their `file`. */
  readonly texts: ReadonlyMap<string, string>;
  /** How the output names a file. */
  readonly pathOf: (file: string) => string;
}

/** Of one file. More have one cause, and nobody reads them. */
const MAX_EXPLAINED = 100;

/**
 * A paragraph per diagnostic: its position, the marked source line and the hint. Of a file with more than a hundred, a hundred, errors
 * first, and the number of the others. Wrapped if the output width is known.
 */
export function explainedDiagnostics(
  { diagnostics, texts, pathOf }: ExplainedDiagnostics,
  context: CommandContext,
): readonly string[] {
  const { stdout, environment, keys } = context;
  const width = textWidth(stdout, environment);
  const { paint } = context;
  const { ellipsis } = themeOf(environment);
  // Before cutting and wrapping, which could break a key in two.
  const redact = (text: string): string => keys.text(text);
  const prose = (text: string, indent: string): string =>
    width === undefined ? text : wrappedProse(text, width, indent);
  const files = new Map<string, SourceFile>();

  const excerpt = (diagnostic: Diagnostic): readonly string[] => {
    const text = texts.get(diagnostic.file);
    if (text === undefined) return [];
    const file = files.getOrInsertComputed(diagnostic.file, () => sourceFile(text, redact));
    const line = markedLine(diagnostic, file);
    const colour = SEVERITY_COLOURS[diagnostic.severity];
    return line === undefined ? [] : [sourceExcerpt(line, { width: width ?? WIDEST, ellipsis, colour, paint })];
  };
  const explained = (diagnostic: Diagnostic): string => {
    const { message, hint, file } = diagnostic;
    const head = diagnosticHead(diagnostic, pathOf(file), paint);
    return [
      prose(`${head} ${redact(plainLine(message))}`, "    "),
      ...excerpt(diagnostic),
      ...(hint === undefined ? [] : [`  ${paint("dim", prose(redact(plainLine(hint)), "  "))}`]),
    ].join("\n");
  };
  const byFile = Map.groupBy(diagnostics, ({ file }) => file);
  return [...byFile].flatMap(([file, all]) => {
    const rest = all.length - MAX_EXPLAINED;
    if (rest <= 0) return all.map(explained);
    const more = `${paint("bold", plainLine(pathOf(file)))}: ${counted(rest, "more mistake")}; --json lists all`;
    return [...gravest(all).map(explained), prose(more, "    ")];
  });
}

/** The first errors, and the first others if there is room, in the order of the file. */
function gravest(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const { error = [], other = [] } = Object.groupBy(diagnostics, ({ severity }) =>
    severity === "error" ? "error" : "other",
  );
  const chosen = new Set([...error, ...other].slice(0, MAX_EXPLAINED));
  return diagnostics.filter((diagnostic) => chosen.has(diagnostic));
}
