export { modelFacts } from "./find-facts.ts";
export { costOf, type ModelFacts, type PriceTable, type Rates, type RateTier } from "./model-facts.ts";
export { readPrices } from "./read-prices.ts";
