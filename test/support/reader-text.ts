import type { AgentIdentity } from "@mdx-ai/parser";
import { parseMarkdown } from "../../packages/parser/src/mdx/markdown.ts";

type Root = ReturnType<typeof parseMarkdown>;
type MarkdownNode = Root | Root["children"][number];

/** What a reader of Markdown sees: its text and the texts of its images, without HTML and blanks. */
export function readerText(markdown: string): string {
  const texts: string[] = [];
  const waiting: MarkdownNode[] = [parseMarkdown(markdown)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === "html" || node.type === "yaml") continue;
    if ("value" in node) texts.push(node.value);
    else if ("alt" in node) texts.push(node.alt ?? "");
    else if ("children" in node) waiting.push(...[...node.children].reverse());
  }
  return texts.join("").replace(/\s+/g, "");
}

/** The prose that a model receives of an agent whose sections all are of its own choice. */
export function receivedProse({ introduction, sections }: AgentIdentity): string {
  const titles = (title: string): string => title.replace(/[!-/:-@[-`{-~]/g, "\\$&");
  return [introduction, ...sections.map(({ title, body }) => `## ${titles(title)}\n\n${body}`)].join("\n\n");
}
