import { quoted } from "../../report.ts";
import type { TextEdit } from "../../types/diagnostic.ts";
import type { SyntaxMessage, SyntaxProblem } from "./syntax-message.ts";
import { componentProblem, escapeProblem } from "./tag-problem.ts";

/** How much of a text is searched for the end of an expression. */
const farthestBrace = 200_000;

/** An error within `{…}`: most often prose in which the brace is plain text. */
export function expressionProblem(message: SyntaxMessage, text: string): SyntaxProblem {
  const offset = message.offset ?? text.length;
  const { opening = Math.max(0, text.lastIndexOf("{", offset)) } = message;
  const why = message.cause ?? reasonOf(message);
  return text[opening] === "<" ? problemInTag(text, opening, offset, why) : braceProblem(text, opening, why);
}

/** A brace of prose that must write `\\{`; `why` it is no expression. */
function braceProblem(text: string, start: number, why: string): SyntaxProblem {
  const end = closingBrace(text, start);
  const isDouble = text.startsWith("{{", start);
  return {
    rule: "mdx-expression",
    offset: start,
    message: `unexpected ${quoted(end === undefined ? "{" : text.slice(start, end))} (${why}), expected a JavaScript expression in braces or \`\\{\``,
    hint: `write \`${isDouble ? "\\{\\{" : "\\{"}\` for the character itself`,
    fix: escapedBraces(text, start, end ?? start + 1),
  };
}

/** The offset after the brace that closes the one at an offset, in the same paragraph; undefined if nothing closes it there. */
function closingBrace(text: string, start: number): number | undefined {
  const rest = text.slice(start, start + farthestBrace);
  let depth = 0;
  for (const match of rest.matchAll(/[{}]|\n[ \t]*\r?\n/g)) {
    if (match[0] === "{") depth++;
    else if (match[0] !== "}") return undefined;
    else if (--depth === 0) return start + match.index + 1;
  }
  return undefined;
}

/** Why what is JavaScript is no expression here. */
function reasonOf({ reason }: SyntaxMessage): string {
  if (/end of file/i.test(reason)) return "it is not closed";
  if (/lazy line/i.test(reason)) return "its second line is not indented or marked as the first";
  return `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
}

function problemInTag(text: string, tag: number, offset: number, why: string): SyntaxProblem {
  const start = braceInTag(text, tag, offset);
  if (/=\s*$/.test(text.slice(tag, start)) && /^<[A-Z]/.test(text.slice(tag, tag + 2))) {
    return attributeProblem(text, start, why);
  }
  const reason = `Unexpected \`{\` (${why}), expected an attribute or the end of the tag`;
  const message = { reason, offset: start, kind: "", source: "" };
  return componentProblem(message, text, tag) ?? escapeProblem(text, tag, start);
}

/** The last brace before an offset that begins an expression of a tag. */
function braceInTag(text: string, tag: number, offset: number): number {
  let depth = 0;
  let brace = tag;
  let quote = "";
  for (let index = tag; index < Math.min(text.length, offset + 1); index++) {
    const character = text.charAt(index);
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (depth === 0 && /["']/.test(character)) quote = character;
    else if (character === "{" && depth++ === 0) brace = index;
    else if (character === "}" && depth > 0) depth--;
  }
  return brace;
}

function attributeProblem(text: string, start: number, why: string): SyntaxProblem {
  const [written = "{"] = /^\{[^}\r\n]*\}*/.exec(text.slice(start)) ?? [];
  const end = start + written.length;
  const inner = written.replace(/["{}]/g, "").trim();
  return {
    rule: "mdx-expression",
    offset: start,
    message: `unexpected ${quoted(written)} (${why}), expected a JavaScript expression in braces`,
    hint: 'write a string in quotes, such as `name="text"`, or a literal in braces',
    repair: { start, end, text: `"${inner}"` },
  };
}

const statement =
  /^(?:import\s*(?:["'{*(]|[\w$]+\s*(?:,|from\b))|export\s+(?:default|const|let|var|function|async|class|\{|\*))/;

/** An error in `import` or `export` at the start of a line: code that is wrong, or prose that starts with the word. */
export function esmProblem(message: SyntaxMessage, text: string): SyntaxProblem {
  const offset = message.offset ?? text.length;
  const start = statementStart(text, message.opening ?? 0, offset);
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

/** The offset of the statement with an error among those that begin at `from`. */
function statementStart(text: string, from: number, offset: number): number {
  const before = text.slice(from, offset + 1);
  const nearest = Array.from(before.matchAll(/^(?:import|export)\b/gm)).at(-1);
  return nearest === undefined ? text.lastIndexOf("\n", offset - 1) + 1 : from + nearest.index;
}

function lineAt(text: string, start: number): string {
  const end = text.slice(start).search(/[\r\n]/);
  return end === -1 ? text.slice(start) : text.slice(start, start + end);
}

/**
 * Escapes a brace that is text, and all braces up to `end`, which would be read as code then. Where the text may hold a code
 * span, a tag or an escape, only the braces that begin it are escaped.
 */
export function escapedBraces(text: string, start: number, end: number): TextEdit {
  const written = text.slice(start, end);
  const run = /^\{+/.exec(written)?.[0] ?? "{";
  const last = /[`<\\]/.test(written) ? run.length - 1 : Math.max(0, written.lastIndexOf("{"));
  if (last === 0) return { start, end: start, text: "\\" };
  return { start, end: start + last + 1, text: written.slice(0, last + 1).replaceAll("{", "\\{") };
}
