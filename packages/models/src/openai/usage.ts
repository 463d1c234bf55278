import { recordOf, type UnknownRecord } from "../json.ts";
import type { Usage } from "../types/message.ts";
import { tokenCount } from "../usage.ts";

/**
 * Counts of an answer, as any vendor sends them: prompts include what was cached, answers include thinking. If they do
 * not (xAI, Gemini), the total shows it.
 */
export function readUsage(usage: UnknownRecord): Partial<Usage> {
  const prompt = tokenCount(usage["prompt_tokens"]);
  const completion = tokenCount(usage["completion_tokens"]);
  if (prompt === undefined && completion === undefined) return {};
  const { cached_tokens, cache_write_tokens } = recordOf(usage["prompt_tokens_details"]);
  const cached = [cached_tokens, usage["prompt_cache_hit_tokens"], usage["cached_tokens"], usage["num_cached_tokens"]];
  const cacheRead = firstCount(cached);
  const cacheWrite = firstCount([cache_write_tokens]);
  const beyond = Math.max(0, firstCount([usage["total_tokens"]]) - (prompt ?? 0) - (completion ?? 0));
  const thinking = tokenCount(recordOf(usage["completion_tokens_details"])["reasoning_tokens"]) ?? beyond;
  const output = (completion ?? 0) + beyond;
  return {
    input: Math.max(0, (prompt ?? 0) - cacheRead - cacheWrite),
    output,
    cacheRead,
    cacheWrite,
    thinking: Math.min(thinking, output),
  };
}

/** Counts of an answer as the responses interface sends them, under other names. */
export const readResponseUsage = (usage: UnknownRecord): Partial<Usage> =>
  readUsage({
    prompt_tokens: usage["input_tokens"],
    completion_tokens: usage["output_tokens"],
    total_tokens: usage["total_tokens"],
    prompt_tokens_details: usage["input_tokens_details"],
    completion_tokens_details: usage["output_tokens_details"],
  });

function firstCount(values: readonly unknown[]): number {
  return values.map(tokenCount).find((count) => count !== undefined) ?? 0;
}
