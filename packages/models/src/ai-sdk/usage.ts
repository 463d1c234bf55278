import { isRecord, recordOf, type UnknownRecord } from "../record.ts";
import { type TokenCounts, tokenCount, toldCounts } from "../token-counts.ts";
import type { Usage } from "../types/message.ts";

/** The counts of an answer, in the shape of either version of the interface; what is not told is left out. */
export function usageOf(value: unknown): Partial<Usage> {
  const usage = recordOf(value);
  const counts = isRecord(usage["inputTokens"]) || isRecord(usage["outputTokens"]) ? nested(usage) : flat(usage);
  return toldCounts(counts);
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

/** Version 2 does not say whether the input has the cached part in it; most providers mean so, and it cannot where it is less. */
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
