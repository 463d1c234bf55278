import type { SessionRecord } from "@mdx-ai/sessions";
import { plainLine } from "../text.ts";
import { escaped, htmlPage } from "./html-page.ts";
import { figuresText, type Part, type Passage, passages } from "./passages.ts";

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
article{margin:1rem 0;padding:.5rem 1rem;border-left:4px solid #999}
article.user{border-color:#27c}article.assistant{border-color:#2a6}
header{font-weight:bold}time,.figures,.thinking{color:#666;font-weight:normal}.failure{color:#b00}
p,pre{white-space:pre-wrap;overflow-wrap:anywhere}pre{background:#f4f4f4;padding:.5rem}img{max-width:100%}`;

/** A session, not redacted, as a page without scripts that loads nothing. All messages are escaped. */
export function htmlExport({ summary, messages }: SessionRecord): string {
  const title = `Session ${plainLine(summary.id)}`;
  const body = `<h1>${escaped(title)}</h1>
<p class="figures">${escaped(figuresText(summary))}</p>
${passages(messages).map(article).join("\n")}`;
  return htmlPage({ title, style: STYLE, body });
}

const article = ({ side, speaker, time, parts }: Passage): string =>
  `<article class="${side}"><header>${escaped(speaker)} <time>${escaped(time)}</time></header>\n${parts.map(partHtml).join("\n")}\n</article>`;

function partHtml(part: Part): string {
  switch (part.type) {
    case "text":
      return `<p>${escaped(part.text)}</p>`;
    case "thinking":
    case "failure":
      return `<p class="${part.type}">${escaped(part.text)}</p>`;
    case "code":
      // HTML parsers drop the first newline of a pre.
      return `${part.label === "" ? "" : `<p>${escaped(part.label)}</p>`}<pre>\n${escaped(part.text)}</pre>`;
    case "image":
      return imageHtml(part.mimeType, part.data);
  }
}

/** An image of a type without code; the type's name for others. */
function imageHtml(mimeType: string, data: string): string {
  const isImage = /^image\/(png|jpeg|gif|webp)$/.test(mimeType) && /^[A-Za-z0-9+/=]*$/.test(data);
  return isImage ? `<img alt="" src="data:${mimeType};base64,${data}">` : `<p>[${escaped(mimeType)}]</p>`;
}

/**
 * A session, not redacted, as Markdown. Messages are quoted, so that their headings and fences cannot affect the rest; HTML tags in them are not escaped.
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

/** A fence that is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** One line of untrusted text with Markdown escaped. */
const inline = (text: string): string => text.replace(/[\\`*_[\]<>&#|~!$]/g, "\\$&");
