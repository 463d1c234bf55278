import { plainText } from "@mdx-ai/directory/text";
import type { ToolResult } from "@mdx-ai/runtime";

/** A tool's result for a terminal or a file, ending with a newline. An image is named and not shown. */
export function resultText({ content }: ToolResult): string {
  const blocks = content.map((block) =>
    block.type === "text"
      ? plainText(block.text)
      : `[image ${plainText(block.mimeType)}, ${block.data.length} characters of base64]`,
  );
  const text = blocks.join("\n");
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
