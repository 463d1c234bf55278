import { closest } from "@mdx-ai/base";
import { quoted } from "../../report.ts";
import type { TextEdit } from "../../types/diagnostic.ts";
import type { Range } from "../prose-slices.ts";
import type { SyntaxMessage, SyntaxProblem } from "./syntax-message.ts";
import { escapeProblem, isTypeArgument } from "./tag-problem.ts";
import { unclosedExampleProblem, unclosedToolProblem } from "./unclosed-element-problem.ts";

const unclosed = /^Expected a closing tag for `<([^>]*)>` \((\d+):(\d+)(?:-(\d+):(\d+))?/;
const mismatch =
  /^Unexpected closing tag `<\/([^>]*)>`, expected corresponding closing tag for `<([^>]*)>` \((\d+):(\d+)(?:-(\d+):(\d+))?/;
const empty = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|Param)$/;

interface Opening extends Range {
  readonly name: string;
}

interface OpeningPlace {
  readonly text: string;
  readonly known: Range | undefined;
}

/** An error between an opening and a closing tag. `known` is the range of the opening one, if it is known. */
export function closingTagProblem(message: SyntaxMessage, text: string, known?: Range): SyntaxProblem {
  const opening = openingOf(unclosed.exec(message.reason), 1, { text, known });
  if (opening !== undefined) return unclosedProblem(opening, text);
  const wrong = mismatch.exec(message.reason);
  const pair = openingOf(wrong, 2, { text, known });
  const closing = Math.max(0, text.lastIndexOf("<", message.offset ?? text.length));
  if (wrong !== null && pair !== undefined)
    return mismatchProblem(pair, { name: wrong[1] ?? "", start: closing }, text);
  return strayProblem(closing, text);
}

function unclosedProblem(opening: Opening, text: string): SyntaxProblem {
  if (isTypeArgument(text, opening.start)) return unclosedText(opening, text);
  if (empty.test(opening.name)) return emptyElementProblem(opening, text);
  if (opening.name === "Tool") return unclosedToolProblem(opening.start, opening.end, text);
  if (opening.name === "Example" && !isMentioned(opening, text))
    return unclosedExampleProblem(opening.start, opening.end, text);
  return unclosedText(opening, text);
}

/** Whether a tag is a word of a line of prose: a closing tag after the paragraph would not close it. */
function isMentioned({ start, end }: Opening, text: string): boolean {
  const lineStart = Math.max(text.lastIndexOf("\n", start - 1), text.lastIndexOf("\r", start - 1)) + 1;
  return text.slice(lineStart, start).trim() !== "" && !text.includes("</Example", end);
}

function unclosedText(opening: Opening, text: string): SyntaxProblem {
  return {
    ...escapeProblem(text, opening.start, opening.end - 1),
    rule: "mdx-closing-tag",
    message: `${quoted(text.slice(opening.start, opening.end))} is not closed, expected \`</${opening.name}>\` or \`\\<\``,
    hint: "close the tag in the same paragraph or put both tags on lines of their own; write `\\<` if it is not a tag",
  };
}

/** A tag that nothing closes. One that says it has members may end with either of two tags: that is for the author to say. */
function emptyElementProblem(opening: Opening, text: string): SyntaxProblem {
  const fix = { start: opening.end - 1, end: opening.end - 1, text: " /" };
  const mayHold = /["'{]object["'}]/.test(text.slice(opening.start, opening.end));
  return {
    rule: "mdx-closing-tag",
    offset: opening.start,
    message: `\`<${opening.name}>\` is not closed, expected \`<${opening.name} />\`${mayHold ? " or `</Param>`" : ""}`,
    hint: mayHold ? "write `</Param>` after its members, or end the tag with ` />`" : "end the tag with ` />`",
    ...(mayHold ? {} : { fix }),
    repair: fix,
  };
}

function mismatchProblem(opening: Opening, closing: { name: string; start: number }, text: string): SyntaxProblem {
  if (isTypeArgument(text, opening.start)) return unclosedText(opening, text);
  if (empty.test(opening.name)) return emptyElementProblem(opening, text);
  if (/^(?:Tool|Example)$/.test(opening.name) && /^(?:Example|Param)$/.test(closing.name)) {
    return strayProblem(closing.start, text);
  }
  if (opening.name === "Example" && closing.name === "Tool") {
    return unclosedExampleProblem(opening.start, opening.end, text);
  }
  if (opening.name === "Tool" && closest(closing.name, ["Tool"]) === undefined) {
    return unclosedToolProblem(opening.start, opening.end, text);
  }
  if (closest(closing.name, [opening.name]) === undefined) {
    const isWithinComponent = /^[A-Z]/.test(closing.name) && !/^[A-Z]/.test(opening.name);
    return isWithinComponent ? unclosedProblem(opening, text) : strayProblem(closing.start, text);
  }
  const start = closing.start + text.slice(closing.start).indexOf(closing.name);
  const fix = { start, end: start + closing.name.length, text: opening.name };
  return {
    rule: "mdx-closing-tag",
    offset: closing.start,
    message: `unexpected \`</${closing.name}>\`, expected \`</${opening.name}>\``,
    hint: `did you mean \`</${opening.name}>\`?`,
    fix,
  };
}

/** A closing tag that closes nothing: the fix removes that of a component; any other is prose. */
function strayProblem(start: number, text: string): SyntaxProblem {
  const tag = /^<\s*\/\s*([\w.:-]*)[^>]*>?/.exec(text.slice(start, start + 1_000));
  const name = tag?.[1] ?? "";
  if (!/^[A-Z]/.test(name)) {
    const problem = escapeProblem(text, start, start + (tag?.[0].length ?? 1) - 1);
    const message = `unexpected ${quoted(tag?.[0] ?? "<")}, expected \`<${name}>\` before it or \`\\<\``;
    return { ...problem, rule: "mdx-closing-tag", message };
  }
  const fix: TextEdit = { start, end: start + (tag?.[0].length ?? 1), text: "" };
  return {
    rule: "mdx-closing-tag",
    offset: start,
    message: `unexpected \`</${name}>\`, expected \`<${name} …>\` before it`,
    hint: "remove the closing tag, or write the opening one",
    fix,
    closes: name,
  };
}

function openingOf(match: RegExpExecArray | null, group: number, { text, known }: OpeningPlace): Opening | undefined {
  if (match === null) return undefined;
  const name = match[group] ?? "";
  if (known !== undefined) return { name, ...known };
  const numbers = match.slice(group + 1).map(Number);
  const start = offsetAt(text, numbers[0] ?? 1, numbers[1] ?? 1);
  return { name, start, end: offsetAt(text, numbers[2] ?? 1, numbers[3] ?? start + 2) };
}

function offsetAt(text: string, line: number, column: number): number {
  let start = 0;
  let current = 1;
  for (const match of text.matchAll(/\r\n?|\n/g)) {
    if (current++ >= line) break;
    start = match.index + match[0].length;
  }
  return Math.min(text.length, start + column - 1);
}
