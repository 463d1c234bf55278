export {
  costOf,
  knownModels,
  type ModelFacts,
  modelFacts,
  type PriceTable,
  type Rates,
  type RateTier,
} from "./model-facts.ts";
export { readPrices } from "./read-prices.ts";
