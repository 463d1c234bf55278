import { readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import {
  configurationDirectory,
  type Environment,
  jsonValue,
  quoted,
  recordOf,
  type UnknownRecord,
} from "@mdx-ai/base";
import { type Finding, positionIn, problemText, type Schema, unlocated, validate } from "@mdx-ai/base/schema";
import { housePrices, PRICE_UNIT, type PriceTable } from "./model-facts.ts";

const MAX_BYTES = 1_048_576;

/**
 * The user's prices, if any, above the built-in ones, for `modelFacts`. The user's are in `$XDG_CONFIG_HOME/mdx-ai/prices.json`, else
 * `~/.config/mdx-ai/prices.json`. An unusable file is ignored with a one-line warning that names its path. Never rejects.
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

/** The message starts with the position. */
class PriceFileError extends Error {
  override readonly name = "PriceFileError";
}

async function readTable(path: string): Promise<PriceTable | undefined> {
  const text = readText(path);
  if (text === undefined) return undefined;
  const plain = validate(priceTable, unlocated(jsonValue(text)));
  if (plain.problems.length === 0) return plain.value;
  const { readYamlMap } = await import("@mdx-ai/base/yaml");
  // JSON is YAML; its reader has positions and accepts a trailing comma and comments.
  const yaml = readYamlMap(text);
  const [mistake] = yaml.problems;
  const failure = (offset: number, what: string): PriceFileError =>
    new PriceFileError(`${path}:${positionIn(text, offset)} ${what}`);
  if (mistake !== undefined) throw failure(mistake.offset, `cannot read the JSON (${mistake.message})`);
  const { value, problems } = validate(priceTable, yaml, { noun: "field" });
  const [problem] = problems;
  if (problem === undefined) return value;
  throw failure(problem.range.start, problemText(problem));
}

/** Undefined if the file does not exist. Throws if it is not a file. */
function readText(path: string): string | undefined {
  const stats = statOf(path);
  if (!stats) return undefined;
  // Reading a pipe would block.
  if (!stats.isFile()) throw new PriceFileError(`${path} is not a regular file`);
  if (stats.size > MAX_BYTES) throw new PriceFileError(`${path} is larger than ${MAX_BYTES} bytes`);
  return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
}

/** Undefined also if a parent folder is a file. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

const price: Schema = { title: "US dollars from 0 to 1000000", type: "number", minimum: 0, maximum: 1_000_000 };
const tokens: Schema = { title: "a whole number of tokens from 1", type: "integer", minimum: 1 };
const rates = { input: price, output: price, cacheRead: price, cacheWrite: price };

const tier: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["above", "input", "output"],
  properties: { above: tokens, ...rates },
};

const facts: Schema = {
  title: "a map of prices",
  type: "object",
  additionalProperties: false,
  properties: {
    ...rates,
    tiers: { title: "a list", type: "array", items: tier },
    window: tokens,
    maxOutput: tokens,
    images: { title: "`true` or `false`", type: "boolean" },
    tools: { title: "`true` or `false`", type: "boolean" },
  },
  check: (value, name) => missingRates(recordOf(value), name),
};

/** A price needs both `input` and `output`. */
function missingRates(entry: UnknownRecord, name: string): readonly Finding[] {
  const hasPrice = [...Object.keys(rates), "tiers"].some((key) => Object.hasOwn(entry, key));
  const missing = ["input", "output"].find((key) => hasPrice && !Object.hasOwn(entry, key));
  return missing === undefined ? [] : [{ of: "key", message: `no \`${name}.${missing}\`, expected one`, hint: "" }];
}

const text: Schema = { title: "a text", type: "string" };

const priceTable: Schema<PriceTable> = {
  title: "an object",
  type: "object",
  additionalProperties: false,
  required: ["models"],
  properties: {
    date: text,
    source: text,
    unit: { title: JSON.stringify(PRICE_UNIT), type: "string", enum: [PRICE_UNIT] },
    models: {
      title: "a map of models",
      type: "object",
      additionalProperties: facts,
      checkKey: (name) => (/^[^/\s]+\/\S/.test(name) ? undefined : nameFinding(name)),
    },
  },
};

const nameFinding = (name: string): Finding => ({
  message: `unexpected name ${quoted(name)} of a model, expected vendor/name or vendor/*`,
  hint: "",
});
