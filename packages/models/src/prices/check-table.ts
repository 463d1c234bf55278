import { isRecord } from "../json.ts";
import {
  type FieldShapes,
  firstProblem,
  listShape,
  recordShape,
  type Shape,
  type ShapeProblem,
  shape,
  wrongValue,
} from "../shapes.ts";
import { type ModelFacts, PRICE_UNIT, type PriceTable, type RateTier } from "./model-facts.ts";

const isAmount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

const text = shape("a text", (value) => typeof value === "string");
const price = shape("US dollars from 0 to 1000000", (value) => isAmount(value) && value <= 1_000_000);
const tokens = shape("a whole number of tokens from 1", (value) => Number.isSafeInteger(value) && Number(value) > 0);

const rates = { input: price, output: price, cacheRead: price, cacheWrite: price } as const;
const tierFields: FieldShapes<RateTier> = { above: tokens, ...rates };
const factFields: FieldShapes<ModelFacts> = {
  ...rates,
  tiers: listShape(recordShape(tierFields, ["above", "input", "output"])),
  window: tokens,
  maxOutput: tokens,
  images: shape("true or false", (value) => typeof value === "boolean"),
};
const priced = ["input", "output", "cacheRead", "cacheWrite", "tiers"];

const facts: Shape = (value, path) => {
  const hasPrice = isRecord(value) && priced.some((name) => name in value);
  return recordShape(factFields, hasPrice ? ["input", "output"] : [])(value, path);
};

const models: Shape = (value, path) => {
  if (!isRecord(value)) return wrongValue(value, path, "an object");
  return firstProblem(Object.entries(value), ([name, entry]) => {
    const at = [...path, name];
    return /^[^/\s]+\/\S/.test(name) ? facts(entry, at) : wrongValue(name, at, "vendor/name or vendor/*");
  });
};

const tableFields: FieldShapes<PriceTable> = {
  date: text,
  source: text,
  unit: shape(JSON.stringify(PRICE_UNIT), (value) => value === PRICE_UNIT),
  models,
};
const table = recordShape(tableFields, ["models"]);

/** Whether a value out of JSON is a price table. */
export const isPriceTable = (value: unknown): value is PriceTable => tableProblem(value) === undefined;

/** The first thing that is wrong with a value as a price table. */
export const tableProblem = (value: unknown): ShapeProblem | undefined => table(value, []);
