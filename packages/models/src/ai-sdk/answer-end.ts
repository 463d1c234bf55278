import { isRecord, recordOf, type UnknownRecord } from "@mdx-ai/base";
import type { FinishReason } from "../message-builder.ts";
import { finishOf, saidReason } from "../stop-reasons.ts";
import type { Usage } from "../types/message.ts";
import { knownCounts, type TokenCounts, tokenCount } from "../usage.ts";

/** How an answer ended according to the provider; "broken" without a reason, "failed" if the model failed. */
type Finish = FinishReason | "broken" | "failed";

/** The end of an answer. */
export interface AnswerEnd {
  readonly finish: Finish;
  /** The provider's word, if it is unknown. */
  readonly unknown?: string;
}

/** The interface's words for other ends. */
const VAGUE: ReadonlySet<string> = new Set(["other", "unknown"]);

/**
 * Reads a finish reason: a word in version 2, later a word with the provider's original. "other" or "unknown" without an original means
 * that a stream broke off; in a non-streamed answer it does not.
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

/** Reads token counts in the format of either interface version; omits unknown counts. */
export function usageOf(value: unknown): Partial<Usage> {
  const usage = recordOf(value);
  const counts = isRecord(usage["inputTokens"]) || isRecord(usage["outputTokens"]) ? nested(usage) : flat(usage);
  return knownCounts(counts);
}

/** From version 3 on. */
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

/** Version 2 does not say whether the input includes the cached part. Most providers include it, but not if the input is smaller. */
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
