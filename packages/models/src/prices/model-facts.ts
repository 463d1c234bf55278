import type { Usage } from "../types/message.ts";
import { inputTokens } from "../usage.ts";
import prices from "./prices.json" with { type: "json" };

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
  /** Whether it takes images; absent if it does, or nobody knows. */
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

/** What vendors charged when the table was made. */
export const housePrices: PriceTable = prices;

type Models = PriceTable["models"];

/** Vendors that serve the models of another under its names and prices. */
const SAME_MODELS: Readonly<Record<string, string>> = { azure: "openai" };

/** The vendor whose models a vendor serves; mostly itself. */
export const ownerOf = (vendor: string): string => SAME_MODELS[vendor] ?? vendor;

/** What ends the name of one state of a model: its date, or that it is the latest. */
const DATE = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;

/**
 * What is known about a model, by the names in its messages; empty if nothing is. Of several tables the first
 * beats the others: the price as a whole, and each other fact, come from the first table that has it.
 */
export function modelFacts(provider: string, name: string, tables: readonly PriceTable[] = [housePrices]): ModelFacts {
  const vendors = [...new Set([provider, ownerOf(provider)])];
  const found = tables.flatMap(({ models }) => vendors.flatMap((vendor) => factsIn(models, vendor, name) ?? []));
  return found.reduceRight(
    (below, above) => ({ ...(above.input === undefined ? below : withoutPrice(below)), ...above }),
    {},
  );
}

function withoutPrice({
  input: _i,
  output: _o,
  cacheRead: _r,
  cacheWrite: _w,
  tiers: _t,
  ...facts
}: ModelFacts): ModelFacts {
  return facts;
}

function factsIn(models: Models, vendor: string, name: string): ModelFacts | undefined {
  const key = `${vendor}/${name}`;
  return entryOf(models, key) ?? familyFacts(models, key) ?? entryOf(models, `${vendor}/*`);
}

/** A dated name that is not listed is a model of its family if all listed ones of that family are alike. */
function familyFacts(models: Models, key: string): ModelFacts | undefined {
  const family = key.replace(DATE, "");
  const facts = family === key ? undefined : entryOf(models, family);
  if (facts === undefined) return undefined;
  const relatives = Object.keys(models).filter((other) => other.replace(DATE, "") === family);
  return relatives.every((other) => Bun.deepEquals(models[other], facts)) ? facts : undefined;
}

/** Names come from outside: "constructor" is not in the table. */
const entryOf = (models: Models, key: string): ModelFacts | undefined =>
  Object.hasOwn(models, key) ? models[key] : undefined;
