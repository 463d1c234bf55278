import type { LanguageModel, Message } from "@mdx-ai/models";
import { type CompactOptions, compact } from "../../packages/loop/src/context/compact.ts";
import { type CompactionOutcome, isCompaction } from "../../packages/loop/src/context/compaction-outcome.ts";
import type { Compaction, Conversation } from "../../packages/loop/src/types/compaction.ts";
import { assistantMessage, toolResult, userMessage } from "./model-request.ts";

/** A conversation of so many messages that were never summarised. */
export const conversationOf = (...messages: Message[]): Conversation => ({ first: 0, messages, compaction: undefined });

/** About so many tokens of words that differ from one another. */
export function words(tokens: number, seed = "word"): string {
  return Array.from({ length: Math.ceil(tokens / 2) }, (_, place) => `${seed} ${place} `).join("");
}

/** A question and its answer. */
export function exchange(question: string, answer: string): Message[] {
  return [userMessage(question), assistantMessage([{ type: "text", text: answer }])];
}

/** About 1,600 tokens of questions and answers. */
export const smallTalk = (): Message[] => Array.from({ length: 4 }, () => exchange(words(200), words(200))).flat();

/** A turn that calls a tool, with its result. */
export function toolTurn(id: string, result: string, args: Readonly<Record<string, string>> = {}): Message[] {
  const call = { type: "toolCall", id, name: "read_file", arguments: args } as const;
  return [assistantMessage([call], { stopReason: "toolUse" }), toolResult(id, result, { toolName: "read_file" })];
}

/** Options of a compaction without skills, system prompt and tools. */
export function compactOptions(model: LanguageModel, rest: Partial<CompactOptions> = {}): CompactOptions {
  return {
    model,
    parameters: {},
    head: { system: "", tools: [] },
    policy: {},
    keeps: () => false,
    isContext: () => false,
    skillTexts: async () => [],
    signal: new AbortController().signal,
    now: () => 7,
    ...rest,
  };
}

/** Summarises and takes the summary over, as an agent does. Throws where there is none. */
export async function compacted(conversation: Conversation, options: CompactOptions): Promise<Compaction> {
  const outcome: CompactionOutcome | undefined = await compact(conversation, options);
  if (!isCompaction(outcome)) throw new Error(`no compaction: ${outcome?.reason ?? "nothing to replace"}`);
  conversation.compaction = outcome;
  return outcome;
}
