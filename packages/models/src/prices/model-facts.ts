/** US dollars per million tokens. A kind of token without a price of its own costs what input costs. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** Rates of a call whose input, cached input included, is longer than so many tokens. */
export interface RateTier extends Rates {
  readonly above: number;
}

/** What is known of a model. `input` and `output` stand together or not at all: then the price is not known. */
export interface ModelFacts extends Partial<Rates> {
  readonly tiers?: readonly RateTier[];
  /** Tokens that its window holds, input and output together. */
  readonly window?: number;
  /** Tokens that an answer may have. */
  readonly maxOutput?: number;
}

/** The form of `prices.json`, ours and the user's. */
export interface PriceTable {
  /** When the prices were gathered, `yyyy-mm-dd`. */
  readonly date?: string;
  /** Where they come from. */
  readonly source?: string;
  readonly unit?: string;
  /** By `vendor/name`, or `vendor/*` for all others of a vendor. */
  readonly models: Readonly<Record<string, ModelFacts>>;
}

/** The one unit that a table may have. */
export const PRICE_UNIT = "USD per million tokens";
