import { inputTokens } from "../token-counts.ts";
import type { Usage } from "../types/message.ts";
import type { ModelFacts, Rates } from "./model-facts.ts";

const MILLION = 1_000_000;

/** What an answer costs in US dollars; undefined where the model's price is not known. */
export function costOf(usage: Usage, facts: ModelFacts): number | undefined {
  const { input, output, cacheRead = input, cacheWrite = input }: Partial<Rates> = tierOf(usage, facts) ?? facts;
  if (input === undefined || output === undefined || cacheRead === undefined || cacheWrite === undefined) return;
  const millionths =
    usage.input * input + usage.output * output + usage.cacheRead * cacheRead + usage.cacheWrite * cacheWrite;
  return millionths / MILLION;
}

/** The highest tier that the input reaches; it holds for the whole call, as vendors have it. */
function tierOf(usage: Usage, { tiers = [] }: ModelFacts): Rates | undefined {
  const reached = tiers.filter(({ above }) => inputTokens(usage) > above);
  return reached.sort((one, other) => other.above - one.above)[0];
}
