import { isRecord, recordOf, type UnknownRecord } from "@mdx-ai/base";
import type { FinishReason } from "../message-builder.ts";
import { finishOf, saidReason } from "../stop-reasons.ts";
import type { Usage } from "../types/message.ts";
import { knownCounts, type TokenCounts, tokenCount } from "../usage.ts";

/** How an answer ended by the provider's word; "broken" if it names no reason, "failed" if the model failed. */
type Finish = FinishReason | "broken" | "failed";

/** What an answer's end says. */
export interface AnswerEnd {
  readonly finish: Finish;
  /** The provider's word, if nobody knows it. */
  readonly unknown?: string;
}

/** Words of the interface for an end that has no other. */
const VAGUE: ReadonlySet<string> = new Set(["other", "unknown"]);

/**
 * Reads a finish reason: a word in version 2, since then a word with the provider's own one. Providers say "other", or
 * "unknown", without a reason of their own if a stream ended without one: such an answer is broken. One that came
 * as a whole is not.
 */
export function endOf(value: unknown, kind: "stream" | "document"): AnswerEnd {
  const { unified, raw } = isRecord(value) ? value : { unified: value, raw: undefined };
  const said = saidReason(raw);
  const word = saidReason(unified);
  if (word === "interrupted") return { finish: "broken" };
  const byRaw = said === undefined ? undefined : finishOf(said);
  const byWord = word === undefined || VAGUE.has(word) ? undefined : finishOf(word);
  // The interface has no words for these ends.
  const isOwn = byRaw === "pause" || byRaw === "refusal" || byRaw === "contextExceeded";
  const finish = isOwn ? byRaw : (byWord ?? byRaw);
  if (finish !== undefined) return { finish };
  if (said !== undefined) return { finish: "stop", unknown: said };
  return { finish: kind === "stream" ? "broken" : "stop" };
}

/** The counts of an answer, in the shape of either version of the interface; unknown counts are left out. */
export function usageOf(value: unknown): Partial<Usage> {
  const usage = recordOf(value);
  const counts = isRecord(usage["inputTokens"]) || isRecord(usage["outputTokens"]) ? nested(usage) : flat(usage);
  return knownCounts(counts);
}

/** Since version 3. */
function nested({ inputTokens, outputTokens }: UnknownRecord): TokenCounts {
  const input = recordOf(inputTokens);
  const output = recordOf(outputTokens);
  const cacheRead = tokenCount(input["cacheRead"]);
  const cacheWrite = tokenCount(input["cacheWrite"]);
  const total = tokenCount(input["total"]);
  const fresh = total === undefined ? undefined : total - (cacheRead ?? 0) - (cacheWrite ?? 0);
  return {
    input: tokenCount(input["noCache"]) ?? tokenCount(fresh),
    output: tokenCount(output["total"]),
    cacheRead,
    cacheWrite,
    thinking: tokenCount(output["reasoning"]),
  };
}

/** Version 2 does not say whether the input has the cached part in it; most providers mean so, but it cannot if it is smaller. */
function flat(usage: UnknownRecord): TokenCounts {
  const input = tokenCount(usage["inputTokens"]);
  const cacheRead = tokenCount(usage["cachedInputTokens"]);
  return {
    input: input === undefined ? undefined : (tokenCount(input - (cacheRead ?? 0)) ?? input),
    output: tokenCount(usage["outputTokens"]),
    cacheRead,
    thinking: tokenCount(usage["reasoningTokens"]),
  };
}
