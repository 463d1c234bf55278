import type { Usage } from "../types/message.ts";
import { inputTokens } from "../usage.ts";

/** US dollars per million tokens. A kind of token without a price of its own costs what input costs. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** Rates of a call whose input, cached input included, is longer than this many tokens. */
export interface RateTier extends Rates {
  readonly above: number;
}

/** What is known about a model. It has both `input` and `output`, or neither: then the price is not known. */
export interface ModelFacts extends Partial<Rates> {
  readonly tiers?: readonly RateTier[];
  /** Tokens that its window holds, input and output together. */
  readonly window?: number;
  /** Tokens that an answer may have. */
  readonly maxOutput?: number;
  /** Whether it takes images; absent if it does, or nobody knows. What is sent follows from the house's table alone. */
  readonly images?: boolean;
}

/** The form of `prices.json`, ours and the user's. */
export interface PriceTable {
  /** When the prices were gathered, `yyyy-mm-dd`. */
  readonly date?: string;
  /** Where they come from. */
  readonly source?: string;
  readonly unit?: string;
  /** By `vendor/name`, or `vendor/*` for the vendor's other models. */
  readonly models: Readonly<Record<string, ModelFacts>>;
}

/** The one unit that a table may have. */
export const PRICE_UNIT = "USD per million tokens";

const MILLION = 1_000_000;

/** What an answer costs in US dollars; undefined if the model's price is not known. */
export function costOf(usage: Usage, facts: ModelFacts): number | undefined {
  const { input, output, cacheRead = input, cacheWrite = input }: Partial<Rates> = tierOf(usage, facts) ?? facts;
  if (input === undefined || output === undefined || cacheRead === undefined || cacheWrite === undefined) return;
  const millionths =
    usage.input * input + usage.output * output + usage.cacheRead * cacheRead + usage.cacheWrite * cacheWrite;
  return millionths / MILLION;
}

/** The highest tier that the input reaches; it holds for the whole call, as vendors bill it. */
function tierOf(usage: Usage, { tiers = [] }: ModelFacts): Rates | undefined {
  const reached = tiers.filter(({ above }) => inputTokens(usage) > above);
  return reached.sort((one, other) => other.above - one.above)[0];
}
