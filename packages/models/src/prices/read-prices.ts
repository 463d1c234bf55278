import { readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { configurationDirectory, type Environment, isRecord, jsonValue } from "@mdx-ai/base";
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
import { housePrices, type ModelFacts, PRICE_UNIT, type PriceTable, type RateTier } from "./model-facts.ts";

const MAX_BYTES = 1_048_576;

/**
 * The user's prices, if any, and the built-in ones below them, for `modelFacts`. The user's are in
 * `$XDG_CONFIG_HOME/mdx-ai/prices.json`, else `~/.config/mdx-ai/prices.json`. A file that cannot be used is a warning of
 * one line that names its path, and counts as none. Never rejects.
 */
export async function readPrices(
  environment: Environment,
  onWarning: (message: string) => void,
): Promise<readonly PriceTable[]> {
  const folder = configurationDirectory(environment);
  if (folder === undefined) return [housePrices];
  const path = join(folder, "prices.json");
  try {
    const table = await readTable(path);
    return table ? [table, housePrices] : [housePrices];
  } catch (error) {
    const reason = error instanceof PriceFileError ? error.message : `${path}: ${String(error)}`;
    onWarning(`${reason}; the price table is ignored`);
    return [housePrices];
  }
}

/** The message begins with the position. */
class PriceFileError extends Error {
  override readonly name = "PriceFileError";
}

async function readTable(path: string): Promise<PriceTable | undefined> {
  const text = readText(path);
  if (text === undefined) return undefined;
  const value = jsonValue(text);
  if (isPriceTable(value)) return value;
  const { readLocated } = await import("../located-yaml.ts");
  const located = readLocated(text);
  if (value === undefined && located.problem) throw new PriceFileError(`${path}:${located.problem}`);
  // A comma behind the last entry, or a comment: the meaning is clear.
  const given = value ?? located.value;
  const problem = tableProblem(given);
  if (problem) {
    const { found, hint, field } = problem;
    const at = located.positionOf(field === undefined ? problem.path : [...problem.path, field]);
    throw new PriceFileError(`${path}:${at} unexpected ${found}, ${hint}`);
  }
  return isPriceTable(given) ? given : undefined;
}

/** Undefined if there is no file. Throws if it is something else. */
function readText(path: string): string | undefined {
  const stats = statOf(path);
  if (!stats) return undefined;
  // Reading a pipe would wait.
  if (!stats.isFile()) throw new PriceFileError(`${path} is not a regular file`);
  if (stats.size > MAX_BYTES) throw new PriceFileError(`${path} is larger than ${MAX_BYTES} bytes`);
  return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
}

/** If a parent folder is a file, there is no price table either. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

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

const isPriceTable = (value: unknown): value is PriceTable => tableProblem(value) === undefined;

/** The first thing that is wrong with a value as a price table. */
const tableProblem = (value: unknown): ShapeProblem | undefined => table(value, []);
