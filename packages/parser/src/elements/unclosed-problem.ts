import type { TextRange } from "@mdx-ai/base/schema";
import { ELEMENT_NAMES } from "../element-names.ts";
import { type CodeFence, isFenced } from "../markdown/lines.ts";
import { type Problem, quoted } from "../report.ts";
import type { TextEdit } from "../types/diagnostic.ts";

/** A text with its fenced code blocks. */
export interface FencedText {
  readonly text: string;
  readonly codeFences: readonly CodeFence[];
}

/**
 * A `<Tool>` that nothing closes. Usually a stray code fence swallows `</Tool>`, or the tool's own fence is not closed;
 * otherwise `</Tool>` is missing and belongs after the tool's code.
 */
export function unclosedToolProblem({ start, end }: TextRange, { text, codeFences }: FencedText): Problem {
  if (!startsLine(text, start)) return withinLine(start, end, text);
  if (/\S/.test(text.slice(end, lineEnd(text, end)))) return beforeText(start, end, text);
  const fences = codeFences.filter((fence) => fence.start >= end);
  const swallowing = fences.find((fence) => closingTag("Tool").test(text.slice(fence.start, fence.end)));
  const nextTool = nextToolStart(text, end, fences);
  const examples = exampleSpans(text, end, fences).filter((span) => span.start < nextTool);
  const isOfExample = ({ start: at }: TextRange): boolean => examples.some((span) => span.start < at && at < span.end);
  const own = fences.find((fence) => fence.start < nextTool && !isOfExample(fence));
  if (swallowing !== undefined && swallowing.start < nextTool) {
    return swallowing === own ? unclosedFence(swallowing, "Tool", text) : strayFence(swallowing, text);
  }
  if (own?.closed === false) return unclosedToTheEnd(own, text);
  const ends = [own, examples.at(-1)].flatMap((span) => span?.end ?? []);
  const offset = ends.length === 0 ? Math.min(nextTool, lineEnd(text, end)) : Math.max(...ends);
  return {
    rule: "element-closing-tag",
    offset: start,
    message: `${quoted(text.slice(start, end))} is not closed, expected \`</Tool>\``,
    hint: "write `</Tool>` on a line of its own after the tool's code block",
    fix: closingLine("Tool", offset, text),
  };
}

/** A heading or an element at the start of a line. */
const NEXT_PART = new RegExp(`^[ \\t]*(?:#{2,6}[ \\t]|<(?:${ELEMENT_NAMES})\\b)`, "m");

/** A tool whose code block is not closed, and neither is the tool: all the rest of the text is in the block. */
function unclosedToTheEnd(fence: CodeFence, text: string): Problem {
  const more = NEXT_PART.exec(text.slice(fence.start, fence.end));
  const end = more === null ? text.length : fence.start + more.index;
  const before = text[end - 1] === "\n" ? "" : "\n";
  const closing = { start: end, end, text: `${before}${fence.marker}\n</Tool>\n` };
  return {
    rule: "element-closing-tag",
    offset: text.indexOf(fence.marker, fence.start),
    message: `the code block of the tool is not closed, expected a code fence ${named(fence)} and \`</Tool>\``,
    hint: "close the code block and the tool, each on a line of its own, after the tool's code",
    ...(more === null ? { fix: closing } : {}),
  };
}

/** The examples after an offset, from the lines that open them to the ends of those that close them. */
function exampleSpans(text: string, from: number, fences: readonly CodeFence[]): readonly TextRange[] {
  const spans: TextRange[] = [];
  let start: number | undefined;
  for (const match of text.slice(from).matchAll(/^[ \t]*<(\/?)Example[\s>]/gm)) {
    const offset = from + match.index;
    if (isFenced(offset, fences)) continue;
    if (match[1] === "") start ??= offset;
    else if (start !== undefined) {
      spans.push({ start, end: lineEnd(text, offset) });
      start = undefined;
    }
  }
  return spans;
}

/** Whether a tag is the first on its line, or in a list item or a quote. */
function startsLine(text: string, start: number): boolean {
  return /(?:^|[\r\n])(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*$/.test(text.slice(Math.max(0, start - 200), start));
}

/** Whether a tag is in a quote, or the first in a list item. */
export function isContained(start: number, text: string): boolean {
  const before = /[^\r\n]*$/.exec(text.slice(Math.max(0, start - 200), start))?.[0] ?? "";
  return startsLine(text, start) ? /\S/.test(before) : /^[ \t]*>/.test(before);
}

function withinLine(start: number, end: number, text: string): Problem {
  return {
    rule: "element-closing-tag",
    offset: start,
    message: `unexpected ${quoted(text.slice(start, end))} within a line of text, expected it on a line of its own`,
    hint: "write `<Tool …>` and `</Tool>` at the start of lines of their own; put a tag that is only named in backticks",
    ...(/\sname\s*=/.test(text.slice(start, end)) ? { fix: { start, end: start, text: "\n\n" } } : {}),
  };
}

/** Text on the same line makes the tag a part of a paragraph, which ends without a closing tag. */
function beforeText(start: number, end: number, text: string): Problem {
  return {
    rule: "element-closing-tag",
    offset: start,
    message: `unexpected text after ${quoted(text.slice(start, end))}, expected the tag on a line of its own`,
    hint: "write `<Tool …>` and `</Tool>` on lines of their own",
    fix: { start: end, end, text: "\n\n" },
  };
}

function strayFence(fence: CodeFence, text: string): Problem {
  return {
    rule: "element-closing-tag",
    offset: text.indexOf(fence.marker, fence.start),
    message: `unexpected code fence ${named(fence)}, expected \`</Tool>\``,
    hint: "remove this line: the tool's code block is already closed",
    fix: { start: fence.start, end: lineEnd(text, fence.start), text: "" },
  };
}

function nextToolStart(text: string, from: number, fences: readonly CodeFence[]): number {
  for (const match of text.slice(from).matchAll(/^[ \t]*<Tool[\s>]/gm)) {
    const offset = from + match.index;
    if (!isFenced(offset, fences)) return offset;
  }
  return text.length;
}

/** An `<Example>` that nothing closes: its code fence is not closed and swallows `</Example>`, or the tag is missing. */
export function unclosedExampleProblem({ start, end }: TextRange, { text, codeFences }: FencedText): Problem {
  const tag = /^[ \t]*<\/?(?:Tool|Example|Param)\b/gm;
  const fences = codeFences.filter((fence) => fence.start >= end);
  const [own] = fences;
  if (own !== undefined && closingTag("Example").test(text.slice(own.start, own.end))) {
    return unclosedFence(own, "Example", text);
  }
  tag.lastIndex = lineEnd(text, end - 1);
  const nextTag = tag.exec(text)?.index ?? text.length;
  const offset = own !== undefined && own.start < nextTag ? own.end : Math.min(nextTag, lineEnd(text, end));
  return {
    rule: "element-closing-tag",
    offset: start,
    message: `${quoted(text.slice(start, end))} is not closed, expected \`</Example>\``,
    hint: "write `</Example>` on a line of its own after the JSON block",
    fix: closingLine("Example", offset, text),
  };
}

/** Finds the closing tag of an element at the start of a line. */
function closingTag(element: "Tool" | "Example"): RegExp {
  return new RegExp(`^[ \\t]*</${element}\\s*>`, "m");
}

/** A code fence that is not closed and swallows the closing tag of the element that holds it. */
function unclosedFence(fence: CodeFence, element: "Tool" | "Example", text: string): Problem {
  const offset = fence.start + (closingTag(element).exec(text.slice(fence.start))?.index ?? 0);
  const fix = { start: offset, end: offset, text: `${fence.marker}\n` };
  return {
    rule: "element-closing-tag",
    offset,
    message: `unexpected \`</${element}>\` within the code block, expected a closing code fence ${named(fence)}`,
    hint: `close the code block on a line of its own before \`</${element}>\``,
    fix,
  };
}

/** "of 3 backticks". */
function named(fence: CodeFence): string {
  const characters = fence.marker.startsWith("~") ? "tildes" : "backticks";
  return `of ${fence.marker.length} ${characters}`;
}

/** Offset after the line of an offset. */
function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf("\n", offset);
  return newline === -1 ? text.length : newline + 1;
}

/** Inserts the closing tag of an element at an offset, on a line of its own. */
function closingLine(element: "Tool" | "Example", offset: number, text: string): TextEdit {
  const before = offset > 0 && text[offset - 1] !== "\n" ? "\n" : "";
  return { start: offset, end: offset, text: `${before}</${element}>\n` };
}
