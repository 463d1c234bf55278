import { countDiagnostics } from "@mdx-ai/directory";
import { type DirectoryCheck, fixableDiagnostics } from "@mdx-ai/directory/checking";
import { capitalized } from "@mdx-ai/directory/text";
import { directoryWord, runWord } from "../arguments/directory-word.ts";
import { counted } from "../output/figures.ts";
import { wrapped } from "../output/text-width.ts";

export interface SummaryView {
  /** The directory as the user named it. */
  readonly given: string;
  /** The fixes have just been applied. */
  readonly isFixed: boolean;
  /** Undefined if the width of the output is unknown. */
  readonly width: number | undefined;
}

/** The findings of a check, and the commands to run next. */
export function checkSummary(check: DirectoryCheck, { given, isFixed, width }: SummaryView): string {
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

/** A command is never wrapped, so that it can be copied. */
function stepLines({ purpose, command }: NextStep, width: number): string {
  const line = `  ${purpose}: ${command}`;
  return Bun.stringWidth(line) <= width ? line : `  ${wrapped(`${purpose}:`, width, "  ")}\n    ${command}`;
}
