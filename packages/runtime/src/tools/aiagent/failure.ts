import type { ToolResult } from "../../types/tool.ts";
import { errorText } from "../tool-result.ts";

/** A result of JSON text. */
export const jsonResult = (value: unknown): ToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
});

/** Runs the work of a tool; what it throws becomes the error result `{"ok": false, "error": …}`. Never rejects. */
export async function orFailure(work: () => Promise<ToolResult | string>): Promise<ToolResult | string> {
  try {
    return await work();
  } catch (error) {
    return { ...jsonResult({ ok: false, error: errorText(error) }), isError: true };
  }
}
