import { quoted } from "../../report.ts";
import { escapedBraces } from "../escaped-braces.ts";
import type { SyntaxMessage, SyntaxProblem } from "./syntax-message.ts";
import { componentProblem, escapeProblem } from "./tag-problem.ts";

/** How much of a text is searched for the end of an expression. */
const farthestBrace = 200_000;

/** An error within `{…}`: most often prose in which the brace is plain text. */
export function expressionProblem(message: SyntaxMessage, text: string): SyntaxProblem {
  const offset = message.offset ?? text.length;
  const { opening = Math.max(0, text.lastIndexOf("{", offset)) } = message;
  const why = message.cause ?? reasonOf(message);
  return text[opening] === "<" ? problemInTag(text, { tag: opening, offset, why }) : braceProblem(text, opening, why);
}

/** A brace of prose that must write `\\{`; `why` it is no expression. */
export function braceProblem(text: string, start: number, why: string): SyntaxProblem {
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

interface InTag {
  readonly tag: number;
  readonly offset: number;
  readonly why: string;
}

function problemInTag(text: string, { tag, offset, why }: InTag): SyntaxProblem {
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
