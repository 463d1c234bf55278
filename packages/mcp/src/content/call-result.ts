import type { JsonValue } from "@mdx-ai/models";
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { McpCallResult } from "../mcp-connection.ts";
import { boundedContent, MOST_TEXT } from "./bounded-content.ts";
import { readBlock, textContent } from "./read-content.ts";

/** What a call gave, cut to a bound. A result that has only structured content has it as its text, too. */
export function callResult({ content, structuredContent, isError = false }: CallToolResult): McpCallResult {
  const read = content.map(readBlock);
  const base = { isError };
  if (!isJson(structuredContent)) return { ...base, content: boundedContent(read) };
  const json = JSON.stringify(structuredContent);
  const shown = boundedContent(read.length === 0 ? [textContent(json)] : read);
  if (json.length <= MOST_TEXT) return { ...base, content: shown, structuredContent };
  const size = json.length.toLocaleString("en");
  return { ...base, content: [...shown, textContent(`[Structured content of ${size} characters was left out]`)] };
}

/** What came out of JSON is a value of JSON. */
const isJson = (value: unknown): value is JsonValue => value !== undefined;
