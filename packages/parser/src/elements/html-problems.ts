import { closest } from "@mdx-ai/base";
import type { TextRange } from "@mdx-ai/base/schema";
import type { Html, Root, Text } from "mdast";
import { ELEMENT_NAMES, ELEMENTS } from "../element-names.ts";
import { childrenOf, endOf, nodesFrom, startOf } from "../markdown/syntax-tree.ts";
import { type Problem, quoted } from "../report.ts";
import { lineStartAt } from "../source-text.ts";

/** The comments in a piece of HTML, in offsets of it. */
export function htmlComments(html: string): readonly TextRange[] {
  const comments: TextRange[] = [];
  for (let start = html.indexOf("<!--"); start !== -1; ) {
    const [short = ""] = /^<!---?>/.exec(html.slice(start, start + 6)) ?? [];
    const end = short === "" ? html.indexOf("-->", start + 4) + 3 : start + short.length;
    if (end < start + 4) break;
    comments.push({ start, end });
    start = html.indexOf("<!--", end);
  }
  return comments;
}

/** A piece of HTML with its comments replaced by blanks. */
export function withoutComments(html: string): string {
  let text = "";
  let from = 0;
  for (const { start, end } of htmlComments(html)) {
    text += html.slice(from, start) + " ".repeat(end - start);
    from = end;
  }
  return text + html.slice(from);
}

/** HTML whose content is no Markdown, such as an example in `<pre>`. */
const VERBATIM = /^<(?:pre|script|style|textarea)[\s>]/i;

const elementTag = new RegExp(`</?(?:${ELEMENT_NAMES})(?![\\w.:$-])`);
const openingTag =
  /<([A-Za-z][A-Za-z0-9]*)((?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>/g;

/** Mistakes in the HTML and the text of a document: tags of elements that are only HTML there, and comments that are none. */
export function htmlProblems(tree: Root, text: string): readonly Problem[] {
  const problems: Problem[] = [];
  const hasComments = /<!--|\{\//.test(text);
  for (const node of nodesFrom([tree])) {
    const isFlow = FLOW.includes(node.type);
    for (const child of childrenOf(node)) {
      if (child.type === "html") problems.push(...problemsOfHtml(child, text, isFlow));
      if (child.type === "text" && hasComments) problems.push(...problemsOfText(child, text));
    }
  }
  return problems;
}

/** The nodes that hold blocks. */
const FLOW: readonly string[] = ["root", "blockquote", "listItem", "mdxJsxFlowElement"];

function problemsOfHtml(node: Html, text: string, isFlow: boolean): readonly Problem[] {
  const start = startOf(node);
  const html = withoutComments(text.slice(start, endOf(node)));
  const unclosed = unclosedComment(start, html);
  if (unclosed.length > 0 || VERBATIM.test(html)) return unclosed;
  const element = isFlow && !isMisspelledClosing(html) ? elementTag.exec(html) : null;
  if (element === null) return misspelledElements(start, html);
  return [describedParam(start, html) ?? withinHtml(start, element.index, html)];
}

const PARAM_WITH_TEXT = /^<Param(?<attributes>(?:\s[^<>]*)?)>(?<text>[^<>]*)<\/Param\s*>/;

/** A description between the tags on one line, which makes the line HTML. */
function describedParam(start: number, html: string): Problem | undefined {
  const found = PARAM_WITH_TEXT.exec(html);
  if (found?.groups === undefined) return undefined;
  const { attributes = "", text = "" } = found.groups;
  const described = text.trim().replace(/\s+/g, " ");
  const tag = `<Param${attributes.trimEnd()} description="${described}" />`;
  const isFixable = described !== "" && !described.includes('"') && !/\sdescription\s*=/.test(attributes);
  const isAlone = html.slice(found[0].length).trim() === "";
  return {
    rule: "element-in-html",
    offset: start,
    message: "unexpected text within `<Param>` on its line, expected the attribute `description`",
    hint: isFixable ? `write ${quoted(tag)}` : 'write the text as `description="…"` and end the tag with ` />`',
    ...(isFixable && isAlone && { fix: { start, end: start + found[0].length, text: tag } }),
  };
}

/** What follows `</Exampel>` is HTML because of that alone. */
function isMisspelledClosing(html: string): boolean {
  const name = /^<\/\s*([A-Za-z]+)\s*>/.exec(html)?.[1];
  return name !== undefined && !ELEMENTS.includes(name) && closest(name, ELEMENTS) !== undefined;
}

function problemsOfText(node: Text, source: string): readonly Problem[] {
  const text = source.slice(startOf(node), endOf(node));
  return [...unclosedComment(startOf(node), text), ...formattedComments(startOf(node), endOf(node), source)];
}

function unclosedComment(start: number, text: string): readonly Problem[] {
  const index = /(?<!\\)<!--/.exec(text)?.index;
  if (index === undefined) return [];
  const message = "the comment is not closed, expected `-->`";
  return [{ rule: "comment-unclosed", offset: start + index, message, hint: COMMENT_HINT }];
}

/** What formatters of Markdown make of the start and the end of a comment over several lines, or of several paragraphs. */
const FORMATTED = /\{\/(?:_|(?:\\\*)+)/;
const FORMATTED_END = /(?:_|\\\*)\/\}/;

function formattedComments(start: number, end: number, source: string): readonly Problem[] {
  const open = FORMATTED.exec(source.slice(start, end));
  if (open === null) return [];
  const offset = start + open.index;
  const from = offset + open[0].length;
  const close = FORMATTED_END.exec(source.slice(from));
  if (close === null) return [];
  const inner = source.slice(from, from + close.index);
  const after = from + close.index + close[0].length;
  const others = formattedComments(inner.includes("{/") ? from : after, end, source);
  if (inner.includes("{/")) return others;
  const message = `unexpected \`${open[0]}\`, which begins no comment, expected \`{/*\``;
  const hint = "write `{/* … */}`: a formatter has changed it";
  const fix = { start: offset, end: after, text: `{/*${inner}*/}` };
  return [{ rule: "comment-unclosed", offset, message, hint, fix }, ...others];
}

/** How to close a comment within a paragraph. */
export const COMMENT_HINT = "close the comment; one that begins within a line ends before the next blank line";

/** Markdown reads nothing in lines of HTML: they end with a blank line. */
function withinHtml(start: number, index: number, html: string): Problem {
  const [tag = ""] = /^<\/?\w+/.exec(html.slice(index)) ?? [];
  const lineStart = lineStartAt(html, index);
  const isFirst = lineStart > 0 && html.slice(lineStart, index).trim() === "";
  const end = html.includes("\r\n") ? "\r\n" : "\n";
  return {
    rule: "element-in-html",
    offset: start + index,
    message: `unexpected \`${tag}>\` within HTML, which is text for the model`,
    hint: "put a blank line before the tag, so that it does not belong to the HTML",
    ...(isFirst ? { fix: { start: start + lineStart, end: start + lineStart, text: end } } : {}),
  };
}

/** `<tool name="…" description="…">` is text: most likely a mistake. */
function misspelledElements(start: number, html: string): readonly Problem[] {
  return Array.from(html.matchAll(openingTag)).flatMap(({ index, 1: name = "", 2: attributes = "" }) => {
    const meant = closest(name, ELEMENTS);
    const hasBoth = /\sname\s*=/.test(attributes) && /\sdescription\s*=/.test(attributes);
    if (meant === undefined || !hasBoth) return [];
    const message = `unexpected \`<${name}>\`, which is text for the model, expected an element`;
    return [{ rule: "element-unknown" as const, offset: start + index, message, hint: `did you mean \`<${meant}>\`?` }];
  });
}
