import { quoted } from "../../report.ts";
import type { SyntaxMessage, SyntaxProblem } from "./syntax-message.ts";

const statement =
  /^(?:import\s*(?:["'{*(]|[\w$]+\s*(?:,|from\b))|export\s+(?:default|const|let|var|function|async|class|\{|\*))/;

/** An error in `import` or `export` at the start of a line: code that is wrong, or prose that starts with the word. */
export function esmProblem(message: SyntaxMessage, text: string): SyntaxProblem {
  const offset = message.offset ?? text.length;
  const start = statementStart(text, offset);
  const why = message.cause ?? "it is not JavaScript";
  return statement.test(text.slice(start, start + 500))
    ? codeProblem(text, { start, offset, why })
    : proseProblem(text, start);
}

function codeProblem(text: string, at: { start: number; offset: number; why: string }): SyntaxProblem {
  const blank = /\n[ \t]*\r?\n/g;
  blank.lastIndex = Math.max(at.start, at.offset - 1);
  const end = blank.exec(text)?.index ?? text.length;
  return {
    rule: "mdx-esm",
    offset: at.offset,
    message: `unexpected JavaScript (${at.why}), expected a complete import or export`,
    hint: isHeading(text, at)
      ? "put a blank line before the heading: a line right below code belongs to the code"
      : `correct the code that starts with ${quoted(lineAt(text, at.start))}`,
    repair: { start: at.start, end, text: "" },
    lost: "export",
  };
}

function isHeading(text: string, at: { start: number; offset: number }): boolean {
  const line = Math.max(text.lastIndexOf("\n", at.offset - 1), text.lastIndexOf("\r", at.offset - 1)) + 1;
  return line > at.start && /^#{1,6}[ \t]/.test(text.slice(line, line + 10));
}

function proseProblem(text: string, start: number): SyntaxProblem {
  const fix = { start, end: start, text: " " };
  const word = text.startsWith("import", start) ? "import" : "export";
  return {
    rule: "mdx-esm",
    offset: start,
    message: `unexpected ${quoted(lineAt(text, start))}, expected an ${word} statement`,
    hint: `a line that starts with \`${word}\` is code: put a space before the word if it is text`,
    fix,
  };
}

function statementStart(text: string, offset: number): number {
  const before = text.slice(0, Math.min(text.length, offset + 1));
  const nearest = Array.from(before.matchAll(/^(?:import|export)\b/gm)).at(-1);
  return nearest?.index ?? text.lastIndexOf("\n", offset - 1) + 1;
}

function lineAt(text: string, start: number): string {
  const end = text.slice(start).search(/[\r\n]/);
  return end === -1 ? text.slice(start) : text.slice(start, start + end);
}
