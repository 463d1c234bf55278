import type { JsonValue } from "@mdx-ai/models";
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { McpCallResult } from "../mcp-connection.ts";
import { boundedContent, MOST_TEXT } from "./bounded-content.ts";
import { readBlock, textContent } from "./read-content.ts";

/** Levels of structured content: deeper values take seconds to write, or more stack than there is. */
const MOST_LEVELS = 200;

/** What a call gave, cut to a bound. A result that has only structured content has it as its text, too. */
export function callResult({ content, structuredContent, isError = false }: CallToolResult): McpCallResult {
  const read = content.map(readBlock);
  const base = { isError };
  const bounded = boundedContent(read);
  if (!isJson(structuredContent)) return { ...base, content: bounded };
  if (isDeeper(structuredContent, MOST_LEVELS)) return { ...base, content: [...bounded, TOO_DEEP] };
  const json = JSON.stringify(structuredContent);
  const shown = read.length === 0 ? boundedContent([textContent(json)]) : bounded;
  if (json.length <= MOST_TEXT) return { ...base, content: shown, structuredContent };
  const size = json.length.toLocaleString("en");
  return { ...base, content: [...shown, textContent(`[Structured content of ${size} characters was left out]`)] };
}

const TOO_DEEP = textContent(`[Structured content of more than ${MOST_LEVELS} levels was left out]`);

/** Goes level by level: recursion would end with the stack. */
function isDeeper(value: unknown, most: number): boolean {
  let level = [value];
  for (let count = 0; level.length > 0; count++) {
    if (count > most) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}

/** What came out of JSON is a value of JSON. */
const isJson = (value: unknown): value is JsonValue => value !== undefined;
