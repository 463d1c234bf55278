import type { ToolResult } from "@mdx-ai/runtime";

/** What a message or a result says, block by block on lines of their own; of an image its type, in brackets. */
export const contentText = (content: ToolResult["content"]): string =>
  content.map((block) => (block.type === "text" ? block.text : `[${block.mimeType}]`)).join("\n");
