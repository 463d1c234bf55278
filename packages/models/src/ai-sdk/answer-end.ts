import { isRecord, recordOf, type UnknownRecord } from "../json.ts";
import type { FinishReason } from "../message-builder.ts";
import type { Usage } from "../types/message.ts";
import { knownCounts, type TokenCounts, tokenCount } from "../usage.ts";

/** How an answer ended by the provider's word; "broken" if it names no reason, "failed" if the model failed. */
export type Finish = FinishReason | "broken" | "failed";

const unifiedReasons: ReadonlyMap<unknown, Finish> = new Map<unknown, Finish>([
  ["stop", "stop"],
  ["length", "length"],
  ["content-filter", "refusal"],
  ["tool-calls", "toolUse"],
  ["error", "failed"],
  ["interrupted", "broken"],
]);

/** Reasons of providers that the interface has no word for. */
const rawReasons: ReadonlyMap<unknown, Finish> = new Map<unknown, Finish>([
  ["pause_turn", "pause"],
  ["refusal", "refusal"],
  ["model_context_window_exceeded", "contextExceeded"],
]);

/**
 * Reads a finish reason: a word in version 2, since then a word with the provider's own one. Providers say "other", or
 * "unknown", without a reason of their own if a stream ended without one: such an answer is broken. One that came
 * as a whole is not.
 */
export function finishOf(value: unknown, kind: "stream" | "document"): Finish {
  const { unified, raw } = isRecord(value) ? value : { unified: value, raw: undefined };
  const known = rawReasons.get(raw) ?? unifiedReasons.get(unified);
  if (known !== undefined) return known;
  return kind === "stream" && raw === undefined ? "broken" : "stop";
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
