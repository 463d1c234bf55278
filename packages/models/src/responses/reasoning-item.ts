import { listOf, parseJsonObject, recordOf, textOf, type UnknownRecord } from "@mdx-ai/base";
import type { ResponseReasoningItem } from "openai/resources/responses/responses";
import type { Sent } from "../history/sent-parts.ts";
import type { ThinkingContent } from "../types/message.ts";

/** Thinking as it goes back: the item as it came, less what the interface does not take back. */
export type SentReasoning = Sent<Pick<ResponseReasoningItem, "type" | "id" | "summary">> & {
  readonly encrypted_content: string;
};

/**
 * What to keep of a reasoning item for the following requests, as JSON; undefined if it cannot go back: the server stores
 * nothing, so that an item without its encrypted content is unknown to it, and one that was cut off cannot be decrypted.
 */
export function keptReasoning(item: UnknownRecord): string | undefined {
  const { id, encrypted_content: encrypted, status } = item;
  if (typeof encrypted !== "string" || encrypted === "" || typeof id !== "string" || status === "incomplete") return;
  const summary = summaryTexts(item).map((text) => ({ type: "summary_text", text }) as const);
  const kept: SentReasoning = { type: "reasoning", id, summary, encrypted_content: encrypted };
  return JSON.stringify(kept);
}

/** The item that was kept with thinking; undefined if none was. */
export function sentReasoning({ signature = "" }: ThinkingContent): SentReasoning | undefined {
  const kept = parseJsonObject(signature);
  const { type, id, encrypted_content: encrypted } = kept ?? {};
  if (kept === undefined || type !== "reasoning" || typeof encrypted !== "string" || typeof id !== "string") return;
  const summary = summaryTexts(kept).map((text) => ({ type: "summary_text", text }) as const);
  return { type, id, summary, encrypted_content: encrypted };
}

/** The readable text of a reasoning item: its summary, or the thinking itself where a server shows that. */
export const reasoningText = (item: UnknownRecord): string =>
  summaryTexts(item).join("\n\n") || textsOf(item["content"]).join("");

const summaryTexts = (item: UnknownRecord): readonly string[] => textsOf(item["summary"]);

const textsOf = (parts: unknown): readonly string[] => listOf(parts).map((part) => textOf(recordOf(part)["text"]));
