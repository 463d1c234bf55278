import type { ModelFacts, PriceTable } from "./model-facts.ts";
import prices from "./prices.json" with { type: "json" };

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
 * beats the others: price, window and longest answer each come from the first table that has one.
 */
export function modelFacts(provider: string, name: string, tables: readonly PriceTable[] = [housePrices]): ModelFacts {
  const vendors = [...new Set([provider, ownerOf(provider)])];
  const found = tables.flatMap(({ models }) => vendors.flatMap((vendor) => factsIn(models, vendor, name) ?? []));
  return found.reduceRight(
    (below, above) => ({ ...(above.input === undefined ? below : lengthsOf(below)), ...above }),
    {},
  );
}

const lengthsOf = ({ window, maxOutput }: ModelFacts): ModelFacts => ({
  ...(window !== undefined && { window }),
  ...(maxOutput !== undefined && { maxOutput }),
});

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
