export { costOf } from "./cost-of.ts";
export { modelFacts } from "./find-facts.ts";
export type { ModelFacts, PriceTable, Rates, RateTier } from "./model-facts.ts";
export { readPrices } from "./read-prices.ts";
