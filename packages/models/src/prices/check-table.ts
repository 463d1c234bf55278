import { closestName } from "../closest-name.ts";
import { isRecord } from "../record.ts";
import { type ModelFacts, PRICE_UNIT, type PriceTable, type RateTier } from "./model-facts.ts";

/** What is wrong with a table. */
export interface TableProblem {
  /** Names of fields and places in lists, from the top. */
  readonly path: readonly (string | number)[];
  /** "unexpected X, expected Y", or with a hint. */
  readonly message: string;
}

type Check = (value: unknown, path: TableProblem["path"]) => TableProblem | undefined;
type Checks<Type> = Readonly<Record<keyof Type, Check>>;

/** Whether a value out of JSON is a price table. */
export const isPriceTable = (value: unknown): value is PriceTable => tableProblem(value) === undefined;

/** The first thing that is wrong with a value as a price table. */
export const tableProblem = (value: unknown): TableProblem | undefined => checkTable(value, []);

const text: Check = accept("a text", (value) => typeof value === "string");
const price: Check = accept("US dollars from 0 to 1000000", (value) => isAmount(value) && value <= 1_000_000);
const tokens: Check = accept(
  "a whole number of tokens from 1",
  (value) => Number.isSafeInteger(value) && isAmount(value) && value > 0,
);

const rates = { input: price, output: price, cacheRead: price, cacheWrite: price } as const;
const tierFields: Checks<RateTier> = { above: tokens, ...rates };
const factFields: Checks<ModelFacts> = {
  ...rates,
  tiers: list(record(tierFields, ["above", "input", "output"])),
  window: tokens,
  maxOutput: tokens,
};
const priced = ["input", "output", "cacheRead", "cacheWrite", "tiers"];

const tableFields: Checks<PriceTable> = {
  date: text,
  source: text,
  unit: accept(JSON.stringify(PRICE_UNIT), (value) => value === PRICE_UNIT),
  models: entries,
};
const checkTable: Check = record(tableFields, ["models"]);

function entries(value: unknown, path: TableProblem["path"]): TableProblem | undefined {
  if (!isRecord(value)) return wrong(value, path, "an object");
  for (const [name, facts] of Object.entries(value)) {
    const place = [...path, name];
    const problem = /^[^/\s]+\/\S/.test(name)
      ? checkFacts(facts, place)
      : wrong(name, place, "vendor/name or vendor/*");
    if (problem) return problem;
  }
  return undefined;
}

function checkFacts(value: unknown, path: TableProblem["path"]): TableProblem | undefined {
  const hasPrice = isRecord(value) && priced.some((name) => name in value);
  return record(factFields, hasPrice ? ["input", "output"] : [])(value, path);
}

function accept(expected: string, accepts: (value: unknown) => boolean): Check {
  return (value, path) => (accepts(value) ? undefined : wrong(value, path, expected));
}

function list(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return wrong(value, path, "a list");
    const items: readonly unknown[] = value;
    return items.map((item, index) => check(item, [...path, index])).find((problem) => problem !== undefined);
  };
}

function record(fields: Readonly<Record<string, Check>>, required: readonly string[]): Check {
  return (value, path) => {
    if (!isRecord(value)) return wrong(value, path, "an object");
    for (const [name, item] of Object.entries(value)) {
      const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const problem = check ? check(item, [...path, name]) : unknownField(name, path, Object.keys(fields));
      if (problem) return problem;
    }
    const missing = required.find((name) => !Object.hasOwn(value, name));
    return missing === undefined
      ? undefined
      : { path, message: `unexpected end of the object, expected "${missing}" in it` };
  };
}

function unknownField(name: string, path: TableProblem["path"], known: readonly string[]): TableProblem {
  const meant = closestName(name, known);
  const hint = meant === undefined ? `expected one of ${known.join(", ")}` : `did you mean "${meant}"?`;
  return { path: [...path, name], message: `unexpected field ${excerpt(name)}, ${hint}` };
}

const wrong = (value: unknown, path: TableProblem["path"], expected: string): TableProblem => ({
  path,
  message: `unexpected ${excerpt(value)}, expected ${expected}`,
});

const isAmount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

function excerpt(value: unknown): string {
  const json = (typeof value === "number" ? undefined : JSON.stringify(value)) ?? String(value);
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}
