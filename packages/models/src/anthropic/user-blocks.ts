import type { ImageContent, TextContent, ToolResultMessage } from "../types/message.ts";
import type { WireImage, WireText, WireToolResult } from "./wire-message.ts";

/** Text and images in order, without texts that hold nothing, which the API refuses. */
export function userBlocks(content: readonly (TextContent | ImageContent)[]): readonly (WireText | WireImage)[] {
  return content.filter((block) => block.type === "image" || block.text.trim() !== "").map(userBlock);
}

/** The answer to a call. A call whose result is not in the history has run, or not: nobody knows. */
export function toolResultBlock(id: string, result: ToolResultMessage | undefined): WireToolResult {
  if (result === undefined) return failedResult(id, "interrupted, outcome unknown");
  const content = userBlocks(result.content);
  if (content.length === 0) {
    return result.isError ? failedResult(id, "failed without a message") : { type: "tool_result", tool_use_id: id };
  }
  const block = { type: "tool_result", tool_use_id: id, content } as const;
  return result.isError ? { ...block, is_error: true } : block;
}

function failedResult(id: string, text: string): WireToolResult {
  return { type: "tool_result", tool_use_id: id, content: [{ type: "text", text }], is_error: true };
}

function userBlock(block: TextContent | ImageContent): WireText | WireImage {
  if (block.type === "text") return { type: "text", text: block.text };
  return { type: "image", source: { type: "base64", media_type: block.mimeType, data: block.data } };
}
