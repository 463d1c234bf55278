import type { AssistantMessage } from "@mdx-ai/models";
import { addAnswer } from "../spending/spending.ts";
import type { Spending } from "../types/event.ts";

/** How long an answer took in milliseconds; undefined if the journal does not say. Guards of messages accept any value there. */
export const latencyOf = ({ latency }: AssistantMessage): number | undefined => finite(latency);

/** What an answer cost in US dollars; undefined if the journal does not say. */
export const costOf = ({ cost }: AssistantMessage): number | undefined => finite(cost);

/** A spending and one journaled answer more. */
export const addJournaled = (spending: Spending, message: AssistantMessage): Spending =>
  addAnswer(spending, { usage: message.usage, latency: latencyOf(message) ?? 0 }, costOf(message));

const finite = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
