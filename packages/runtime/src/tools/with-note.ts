import type { ToolResult } from "../types/tool.ts";

/** A result with a line more at the end of its last text; the same result where the note is "". */
export function withNote<Result extends ToolResult>(result: Result, note: string): Result {
  if (note === "") return result;
  const last = result.content.findLastIndex((block) => block.type === "text");
  const content = result.content.map((block, index) =>
    index === last && block.type === "text" ? { ...block, text: `${block.text.replace(/\n$/, "")}\n${note}` } : block,
  );
  return { ...result, content };
}
