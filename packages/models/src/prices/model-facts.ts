import type { Usage } from "../types/message.ts";
import { inputTokens } from "../usage.ts";
import prices from "./prices.json" with { type: "json" };

/** US dollars per million tokens. Kinds without a price are billed as input. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** Rates of a call whose input, including cached input, exceeds this many tokens. */
export interface RateTier extends Rates {
  readonly above: number;
}

/** Facts about a model. It has both `input` and `output`, or neither if the price is unknown. */
export interface ModelFacts extends Partial<Rates> {
  readonly tiers?: readonly RateTier[];
  /** The size of its window in tokens, input and output together. */
  readonly window?: number;
  /** Maximum tokens of an answer. */
  readonly maxOutput?: number;
  /** Whether it accepts images; absent if it does or if unknown. */
  readonly images?: boolean;
  /** Whether it can call tools; absent if it can or if unknown. */
  readonly tools?: boolean;
}

/** The format of `prices.json`, built-in and user's. */
export interface PriceTable {
  /** The date of the prices, `yyyy-mm-dd`. */
  readonly date?: string;
  /** The origin of the prices. */
  readonly source?: string;
  readonly unit?: string;
  /** By `vendor/name`, or `vendor/*` for the vendor's other models. */
  readonly models: Readonly<Record<string, ModelFacts>>;
}

/** The only supported unit. */
export const PRICE_UNIT = "USD per million tokens";

const MILLION = 1_000_000;

/** An answer's cost in US dollars; undefined if the model's price is unknown. */
export function costOf(usage: Usage, facts: ModelFacts): number | undefined {
  const { input, output, cacheRead = input, cacheWrite = input }: Partial<Rates> = tierOf(usage, facts) ?? facts;
  if (input === undefined || output === undefined || cacheRead === undefined || cacheWrite === undefined) return;
  const millionths =
    usage.input * input + usage.output * output + usage.cacheRead * cacheRead + usage.cacheWrite * cacheWrite;
  return millionths / MILLION;
}

/** The highest tier that the input reaches; it applies to the whole call, as vendors bill it. */
function tierOf(usage: Usage, { tiers = [] }: ModelFacts): Rates | undefined {
  const reached = tiers.filter(({ above }) => inputTokens(usage) > above);
  return reached.sort((one, other) => other.above - one.above)[0];
}

/** The built-in prices, with their date. */
export const housePrices: PriceTable = prices;

type Models = PriceTable["models"];

/** Vendors that serve another vendor's models with the same names and prices. */
const SAME_MODELS: Readonly<Record<string, string>> = { azure: "openai" };

/** The vendor whose models a vendor serves; usually itself. */
export const ownerOf = (vendor: string): string => SAME_MODELS[vendor] ?? vendor;

/** The end of a model's versioned name: a date or `latest`. */
const DATE = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;

/**
 * The facts about a model, by the names in its messages; empty if unknown. Earlier tables win: the price as a whole, and each other fact,
 * come from the first table that has it.
 */
export function modelFacts(provider: string, name: string, tables: readonly PriceTable[] = [housePrices]): ModelFacts {
  const vendors = [...new Set([provider, ownerOf(provider)])];
  const found = tables.flatMap(({ models }) => vendors.flatMap((vendor) => factsIn(models, vendor, name) ?? []));
  return found.reduceRight(
    (below, above) => ({ ...(above.input === undefined ? below : withoutPrice(below)), ...above }),
    {},
  );
}

/** The names of a vendor's models in the built-in table, in order; empty for a vendor that it does not have. */
export const knownModels = (vendor: string): readonly string[] =>
  Object.keys(housePrices.models)
    .filter((key) => key.startsWith(`${vendor}/`) && !key.endsWith("/*"))
    .map((key) => key.slice(vendor.length + 1))
    .sort();

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

/** An unlisted dated name gets its family's facts if all listed models of that family agree. */
function familyFacts(models: Models, key: string): ModelFacts | undefined {
  const family = key.replace(DATE, "");
  const facts = family === key ? undefined : entryOf(models, family);
  if (facts === undefined) return undefined;
  const relatives = Object.keys(models).filter((other) => other.replace(DATE, "") === family);
  return relatives.every((other) => Bun.deepEquals(models[other], facts)) ? facts : undefined;
}

/** Guards against names such as "constructor", which come from outside. */
const entryOf = (models: Models, key: string): ModelFacts | undefined =>
  Object.hasOwn(models, key) ? models[key] : undefined;
