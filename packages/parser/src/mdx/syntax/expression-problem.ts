import { quoted } from "../../report.ts";
import type { TextEdit } from "../../types/diagnostic.ts";
import { type CodeFence, codeFences, isCode } from "../code-fences.ts";
import type { SyntaxMessage, SyntaxProblem } from "./syntax-message.ts";
import { componentProblem, escapeProblem, tagAround } from "./tag-problem.ts";

const farthestBrace = 200_000;
const mostBraces = 1_000;
const jsonStart = /\{\s*"[^"\r\n]*"\s*:/y;
/** What matters in JSON that is prose: braces, strings, and what Markdown reads otherwise. */
const jsonPart = /"[^"\r\n]*"|[{}`<\\]/g;

/** An error within `{…}`: most often prose in which the brace is plain text. */
export function expressionProblem(message: SyntaxMessage, text: string): SyntaxProblem {
  const start = outerBrace(text, openingBrace(text, message.offset ?? text.length));
  const why = message.cause ?? reasonOf(message);
  const tag = tagAround(text, start);
  const isValue = /=\s*$/.test(text.slice(Math.max(0, start - 100), start));
  if (tag !== undefined) return isValue ? attributeProblem(text, start, why) : brokenTag(text, { tag, start, why });
  return braceProblem(text, start, why);
}

/** A brace of prose that must write `\\{`; `why` it is no expression. */
export function braceProblem(text: string, start: number, why: string): SyntaxProblem {
  const isDouble = text.startsWith("{{", start);
  const fix = escapedJson(text, start) ?? escapedBrace(start, isDouble);
  const end = closingBrace(text, start, isDouble);
  const seen = end === -1 ? "{" : text.slice(start, end);
  return {
    rule: "mdx-expression",
    offset: start,
    message: `unexpected ${quoted(seen)} (${why}), expected a JavaScript expression in braces or \`\\{\``,
    hint: "write `\\{` for the character itself",
    fix,
  };
}

function escapedBrace(start: number, isDouble: boolean): TextEdit {
  return isDouble ? { start, end: start + 2, text: "\\{\\{" } : { start, end: start, text: "\\" };
}

/** All braces of a JSON-like object in prose at once: if its first is no JavaScript, neither are those within. */
function escapedJson(text: string, start: number): TextEdit | undefined {
  jsonStart.lastIndex = start;
  if (!jsonStart.test(text)) return undefined;
  let depth = 0;
  jsonPart.lastIndex = start;
  for (let part = jsonPart.exec(text); part !== null; part = jsonPart.exec(text)) {
    if (/[`<\\]/.test(part[0])) return undefined;
    if (part[0] === "{") depth++;
    if (part[0] === "}") depth--;
    if (depth > 0) continue;
    const end = jsonPart.lastIndex;
    return { start, end, text: text.slice(start, end).replaceAll("{", "\\{") };
  }
  return undefined;
}

/** A placeholder such as `{{ name }}` is one mistake, although only its inner brace may be wrong. */
function outerBrace(text: string, brace: number): number {
  return text.slice(brace - 1, brace + 1) === "{{" && text[brace - 2] !== "\\" ? brace - 1 : brace;
}

function closingBrace(text: string, start: number, isDouble: boolean): number {
  const double = isDouble ? text.indexOf("}}", start) : -1;
  if (double !== -1) return double + 2;
  const single = text.indexOf("}", start);
  return single === -1 ? -1 : single + 1;
}

/** Why what is JavaScript is no expression here. */
function reasonOf({ reason }: SyntaxMessage): string {
  if (/end of file/i.test(reason)) return "it is not closed";
  if (/lazy line/i.test(reason)) return "its second line is not indented or marked as the first";
  return `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
}

/** A brace among the attributes of a tag. */
function brokenTag(text: string, at: { tag: number; start: number; why: string }): SyntaxProblem {
  const reason = `Unexpected \`{\` (${at.why}), expected an attribute or the end of the tag`;
  const message = { reason, offset: at.start, kind: "", source: "" };
  return componentProblem(message, text, at.tag) ?? escapeProblem(text, at.tag, at.start);
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

/** The nearest brace before an offset that is neither closed, nor escaped, nor code. */
function openingBrace(text: string, end: number): number {
  const fences = codeFences(text);
  const isBrace = (offset: number): boolean => text[offset - 1] !== "\\" && !isCode(text, offset, fences);
  let depth = 0;
  let nearest = -1;
  const first = Math.max(0, end - farthestBrace);
  let offset = end;
  for (let count = 0; count < mostBraces; count++) {
    offset = previousBrace(text, offset, fences);
    if (offset < first) break;
    if (!isBrace(offset)) continue;
    if (text[offset] === "}") depth++;
    else if (depth-- === 0) return offset;
    else nearest = offset;
  }
  return nearest === -1 ? Math.max(0, text.lastIndexOf("{", end)) : nearest;
}

function previousBrace(text: string, before: number, fences: readonly CodeFence[]): number {
  if (before <= 0) return -1;
  const fence = fences.find((candidate) => candidate.start < before && before <= candidate.end);
  const from = (fence === undefined ? before : fence.start) - 1;
  return from < 0 ? -1 : Math.max(text.lastIndexOf("{", from), text.lastIndexOf("}", from));
}
