import { plainLine } from "@mdx-ai/directory/text";
import type { SessionRecord } from "@mdx-ai/runtime";
import { type Part, type Passage, passages } from "./passages.ts";
import { figuresText } from "./session-text.ts";

/**
 * A session as Markdown. Messages are quoted, so that none of their headings or fences reaches beyond its passage; HTML tags
 * in them are left to the program that shows the Markdown.
 */
export const markdownExport = ({ summary, messages }: SessionRecord): string =>
  [`# Session ${plainLine(summary.id)}\n\n${figuresText(summary)}\n`, ...passages(messages).map(passageText)].join(
    "\n",
  );

const passageText = ({ speaker, time, parts }: Passage): string =>
  [`## ${inline(speaker)}, ${time}\n`, ...parts.map((part) => `${partText(part)}\n`)].join("\n");

function partText(part: Part): string {
  switch (part.type) {
    case "text":
      return quoted(part.text);
    case "thinking":
      return `Thinking:\n\n${quoted(part.text)}`;
    case "failure":
      return `Broke off:\n\n${fenced(part.text)}`;
    case "code":
      return `${part.label === "" ? "" : `${inline(part.label)}:\n\n`}${fenced(part.text)}`;
    case "image":
      return `An image: ${inline(part.mimeType)}`;
  }
}

const quoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");

/** In a fence that is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** One line of foreign text that means nothing to Markdown. */
const inline = (text: string): string => text.replace(/[\\`*_[\]<>&#|~!$]/g, "\\$&");
