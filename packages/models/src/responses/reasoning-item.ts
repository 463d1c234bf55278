import { listOf, parseJsonObject, recordOf, textOf, type UnknownRecord } from "@mdx-ai/base";
import type { ResponseReasoningItem } from "openai/resources/responses/responses";
import type { Sent } from "../history/sent-parts.ts";
import type { ThinkingContent } from "../types/message.ts";

/** Thinking to send back: the received item without the fields that the interface refuses. */
export type SentReasoning = Sent<Pick<ResponseReasoningItem, "type" | "id" | "summary">> & {
  readonly encrypted_content: string;
};

/**
 * The stored form of a reasoning item for later requests, as JSON; undefined if it cannot be sent back: the server stores nothing, so an
 * item needs its encrypted content, and a truncated one cannot be decrypted.
 */
export function keptReasoning(item: UnknownRecord): string | undefined {
  const { id, encrypted_content: encrypted, status } = item;
  if (typeof encrypted !== "string" || encrypted === "" || typeof id !== "string" || status === "incomplete") return;
  const summary = summaryTexts(item).map((text) => ({ type: "summary_text", text }) as const);
  const kept: SentReasoning = { type: "reasoning", id, summary, encrypted_content: encrypted };
  return JSON.stringify(kept);
}

/** The stored item of a thinking block; undefined if there is none. */
export function sentReasoning({ signature = "" }: ThinkingContent): SentReasoning | undefined {
  const kept = parseJsonObject(signature);
  const { type, id, encrypted_content: encrypted } = kept ?? {};
  if (kept === undefined || type !== "reasoning" || typeof encrypted !== "string" || typeof id !== "string") return;
  const summary = summaryTexts(kept).map((text) => ({ type: "summary_text", text }) as const);
  return { type, id, summary, encrypted_content: encrypted };
}

/** The readable text of a reasoning item: its summary, or its thinking if the server shows it. */
export const reasoningText = (item: UnknownRecord): string =>
  summaryTexts(item).join("\n\n") || textsOf(item["content"]).join("");

const summaryTexts = (item: UnknownRecord): readonly string[] => textsOf(item["summary"]);

const textsOf = (parts: unknown): readonly string[] => listOf(parts).map((part) => textOf(recordOf(part)["text"]));
