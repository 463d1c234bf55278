import { isRecord, type JsonObject, listOf, parseJsonObject, recordOf, textOf, type UnknownRecord } from "@mdx-ai/base";
import type { ThinkingContent } from "../types/message.ts";

/** The blocks and items of searches that a provider makes within an answer. */
const TYPES: ReadonlySet<unknown> = new Set(["server_tool_use", "web_search_tool_result", "web_search_call"]);

/** Whether a block of an answer is a part of a provider's search. */
export const isSearch = ({ type }: UnknownRecord): boolean => TYPES.has(type);

/** The stored block of a search, which is sent back as it was received; undefined for thinking. */
export function sentSearch({ signature = "" }: ThinkingContent): JsonObject | undefined {
  if (!signature.startsWith("{")) return undefined;
  const block = parseJsonObject(signature);
  return block !== undefined && isSearch(block) ? block : undefined;
}

/** A block of a search as text for people: its query, or titles and addresses. */
export function searchText(block: UnknownRecord): string {
  const { type, input, action, content } = block;
  if (type !== "web_search_tool_result") {
    const { query, queries, url } = recordOf(input ?? action);
    const what = [query ?? url, ...listOf(queries)].map(textOf).filter((text) => text !== "");
    return `Search of the provider: ${[...new Set(what)].join(", ") || "(no query)"}`;
  }
  if (isRecord(content)) return `The search failed: ${textOf(content["error_code"])}`;
  const found = listOf(content).map(recordOf);
  return found.map(({ title, url }) => `${textOf(title)} ${textOf(url)}`.trim()).join("\n") || "(no results)";
}
