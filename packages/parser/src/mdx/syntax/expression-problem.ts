import { quoted } from "../../report.ts";
import { type CodeFence, codeFences, isCode } from "../code-fences.ts";
import type { SyntaxMessage, SyntaxProblem } from "./syntax-message.ts";

const farthestBrace = 200_000;

/** An error within `{…}`: most often prose in which the brace only means itself. */
export function expressionProblem(message: SyntaxMessage, text: string): SyntaxProblem {
  const start = openingBrace(text, message.offset ?? text.length);
  const why = message.cause ?? "it is not closed";
  if (/[\w-]\s*=\s*$/.test(text.slice(Math.max(0, start - 100), start))) return attributeProblem(text, start, why);
  const fix = { start, end: start, text: "\\" };
  const closing = text.indexOf("}", start);
  const seen = closing === -1 ? "{" : text.slice(start, closing + 1);
  return {
    problem: {
      rule: "mdx-expression",
      offset: start,
      message: `unexpected ${quoted(seen)} (${why}), expected a JavaScript expression in braces or \`\\{\``,
      hint: "write `\\{` where the text means the character",
      fix,
    },
    mend: fix,
  };
}

function attributeProblem(text: string, start: number, why: string): SyntaxProblem {
  const closing = text.slice(start).search(/[}\r\n]/);
  const end = closing === -1 ? text.length : start + closing + (text[start + closing] === "}" ? 1 : 0);
  return {
    problem: {
      rule: "mdx-expression",
      offset: start,
      message: `unexpected ${quoted(text.slice(start, end))} (${why}), expected a JavaScript expression in braces`,
      hint: 'write a text in quotes, such as `name="text"`, or a literal in braces',
    },
    mend: { start, end, text: '""' },
  };
}

/** The nearest brace before the place that is neither closed, nor escaped, nor code. */
function openingBrace(text: string, place: number): number {
  const fences = codeFences(text);
  const isBrace = (offset: number): boolean => text[offset - 1] !== "\\" && !isCode(text, offset, fences);
  let depth = 0;
  let nearest = -1;
  const first = Math.max(0, place - farthestBrace);
  for (let offset = previousBrace(text, place, fences); offset >= first; offset = previousBrace(text, offset, fences)) {
    if (!isBrace(offset)) continue;
    if (text[offset] === "}") depth++;
    else if (depth-- === 0) return offset;
    else nearest = offset;
  }
  return nearest === -1 ? Math.max(0, text.lastIndexOf("{", place)) : nearest;
}

function previousBrace(text: string, before: number, fences: readonly CodeFence[]): number {
  if (before <= 0) return -1;
  const fence = fences.find((candidate) => candidate.start < before && before <= candidate.end);
  const from = (fence === undefined ? before : fence.start) - 1;
  return from < 0 ? -1 : Math.max(text.lastIndexOf("{", from), text.lastIndexOf("}", from));
}
