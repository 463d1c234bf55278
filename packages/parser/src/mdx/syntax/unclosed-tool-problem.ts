import { quoted } from "../../report.ts";
import type { TextEdit } from "../../types/diagnostic.ts";
import { type CodeFence, codeFences } from "../code-fences.ts";
import type { SyntaxProblem } from "./syntax-message.ts";

const closingTag = /^[ \t]*<\/Tool\s*>/m;

/**
 * A `<Tool>` that nothing closes. Most often a code fence stands where none belongs and swallows `</Tool>`, or the
 * tool's own fence is not closed; else `</Tool>` is missing, and stands after the tool's code.
 */
export function unclosedToolProblem(start: number, end: number, text: string): SyntaxProblem {
  if (!startsLine(text, start)) return withinLine(start, end, text);
  const fences = codeFences(text).filter((fence) => fence.start >= end);
  const swallowing = fences.find((fence) => closingTag.test(text.slice(fence.start, fence.end)));
  const nextTool = nextToolStart(text, end, fences);
  const own = fences.find((fence) => fence.start < nextTool);
  if (swallowing !== undefined && swallowing.start < nextTool) {
    return swallowing === own ? unclosedFence(swallowing, text) : strayFence(swallowing, text);
  }
  const place = own === undefined ? Math.min(nextTool, lineEnd(text, end)) : own.end;
  const newline = place > 0 && text[place - 1] !== "\n" ? "\n" : "";
  return problemAt(start, `unexpected end of ${quoted(text.slice(start, end))}, expected \`</Tool>\``, {
    hint: "write `</Tool>` on a line of its own after the tool's code block",
    fix: { start: place, end: place, text: `${newline}</Tool>\n` },
  });
}

function startsLine(text: string, start: number): boolean {
  return /(?:^|[\r\n])[ \t]*$/.test(text.slice(Math.max(0, start - 200), start));
}

function withinLine(start: number, end: number, text: string): SyntaxProblem {
  return problemAt(
    start,
    `unexpected ${quoted(text.slice(start, end))} within a line of text, expected it on a line of its own`,
    {
      hint: "write `<Tool …>` and `</Tool>` at the start of lines of their own",
      fix: { start, end: start, text: "\n\n" },
    },
  );
}

function strayFence(fence: CodeFence, text: string): SyntaxProblem {
  const written = text.indexOf(fence.marker, fence.start);
  return problemAt(written, `unexpected code fence ${named(fence)}, expected \`</Tool>\``, {
    hint: "take this line away: the tool's code block is closed already",
    fix: { start: fence.start, end: lineEnd(text, fence.start), text: "" },
  });
}

function unclosedFence(fence: CodeFence, text: string): SyntaxProblem {
  const closing = closingTag.exec(text.slice(fence.start));
  const place = fence.start + (closing?.index ?? 0);
  return problemAt(
    place,
    `unexpected \`</Tool>\` within the code block, expected a closing code fence ${named(fence)}`,
    {
      hint: "close the code block on a line of its own before `</Tool>`",
      fix: { start: place, end: place, text: `${fence.marker}\n` },
    },
  );
}

function problemAt(offset: number, message: string, mending: { hint: string; fix: TextEdit }): SyntaxProblem {
  return { problem: { rule: "mdx-closing-tag", offset, message, ...mending }, mend: mending.fix };
}

function named(fence: CodeFence): string {
  const characters = fence.marker.startsWith("~") ? "tildes" : "backticks";
  return `of ${fence.marker.length} ${characters}`;
}

function nextToolStart(text: string, from: number, fences: readonly CodeFence[]): number {
  for (const match of text.slice(from).matchAll(/^[ \t]*<Tool[\s>]/gm)) {
    const place = from + match.index;
    if (!fences.some((fence) => fence.start <= place && place < fence.end)) return place;
  }
  return text.length;
}

function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf("\n", offset);
  return newline === -1 ? text.length : newline + 1;
}
