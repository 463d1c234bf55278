import { shortened } from "@mdx-ai/base";

/** A description is part of every prompt. */
const MAX_LENGTH = 1_024;

const heading = /^#{1,6}[ \t]+(.*?)[ \t]*#*$/;
const fence = /^(?:`{3,}|~{3,})/;
/** What begins a line of a list or a quotation. */
const mark = /^(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)+/;
const rule = /^(?:[-*_=][ \t]*){3,}$/;

/**
 * The description of a skill that has none: the first paragraph of its body on one line, else the text of its first heading, as
 * other readers of skills have it. Empty if the body has neither. Never throws.
 */
export function bodyDescription(body: string): string {
  const lines = proseLines(body);
  const first = lines.findIndex((line) => line !== "" && !heading.test(line) && !rule.test(line));
  if (first === -1)
    return plain(lines.map((line) => heading.exec(line)?.[1] ?? "").find((title) => title !== "") ?? "");
  const end = lines.findIndex((line, index) => index > first && (line === "" || heading.test(line) || rule.test(line)));
  const paragraph = lines.slice(first, end === -1 ? undefined : end);
  return plain(paragraph.map((line) => line.replace(mark, "")).join(" "));
}

/** The trimmed lines of a body; code blocks and comments are blank lines. */
function proseLines(body: string): readonly string[] {
  const open: string[] = [];
  const withoutComments = body.replace(/<!--[\s\S]*?(?:-->|$)/g, "\n\n");
  return withoutComments.split(/\r\n?|\n/).map((line) => {
    const text = line.trim();
    const opening = open[0];
    const fenced = fence.exec(text)?.[0];
    if (opening !== undefined && fenced?.startsWith(opening)) open.pop();
    else if (opening === undefined && fenced !== undefined) open.push(fenced);
    return opening === undefined && fenced === undefined ? text : "";
  });
}

const plain = (text: string): string => shortened(text.replace(/\s+/g, " ").trim(), MAX_LENGTH);
