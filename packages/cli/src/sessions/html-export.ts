import { plainLine } from "@mdx-ai/directory/text";
import type { SessionRecord } from "@mdx-ai/runtime";
import { escaped, htmlPage } from "../output/html-page.ts";
import { type Part, type Passage, passages } from "./passages.ts";
import { figuresText } from "./session-text.ts";

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
article{margin:1rem 0;padding:.5rem 1rem;border-left:4px solid #999}
article.user{border-color:#27c}article.assistant{border-color:#2a6}
header{font-weight:bold}time,.figures,.thinking{color:#666;font-weight:normal}.failure{color:#b00}
p,pre{white-space:pre-wrap;overflow-wrap:anywhere}pre{background:#f4f4f4;padding:.5rem}img{max-width:100%}`;

/** A session as one page without scripts that loads nothing. All messages are text in it. */
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
      // An HTML parser drops the first newline of a pre.
      return `${part.label === "" ? "" : `<p>${escaped(part.label)}</p>`}<pre>\n${escaped(part.text)}</pre>`;
    case "image":
      return imageHtml(part.mimeType, part.data);
  }
}

/** An image of a type that holds no code; otherwise its type. */
function imageHtml(mimeType: string, data: string): string {
  const isImage = /^image\/(png|jpeg|gif|webp)$/.test(mimeType) && /^[A-Za-z0-9+/=]*$/.test(data);
  return isImage ? `<img alt="" src="data:${mimeType};base64,${data}">` : `<p>[${escaped(mimeType)}]</p>`;
}
