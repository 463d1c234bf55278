// `npm run prices`: makes packages/models/src/prices/prices.json, or the file named, from the model lists of a dev
// dependency that gathers what vendors publish. Update that, then run this.
import { join } from "node:path";
import { type ModelFacts, PRICE_UNIT, type PriceTable, type Rates } from "../packages/models/src/prices/model-facts.ts";

const ROOT = join(import.meta.dir, "..");
const PACKAGE = "@earendil-works/pi-ai";
const SOURCE = join(ROOT, "node_modules", PACKAGE);

/** The lists of the source, by the vendors of the house. */
const LISTS = {
  anthropic: "anthropic",
  openai: "openai",
  gemini: "google",
  mistral: "mistral",
  groq: "groq",
  deepseek: "deepseek",
  xai: "xai",
} as const;

/** Vendors that cost nothing: the user's own machine, and models that are none. */
const FREE = ["ollama", "script", "offline"];

interface ListedRates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

interface ListedModel {
  readonly id: string;
  readonly cost: ListedRates & { readonly tiers?: readonly (ListedRates & { readonly inputTokensAbove: number })[] };
  readonly contextWindow: number;
  readonly maxTokens: number;
}

const rates = ({ input, output, cacheRead, cacheWrite }: ListedRates): Rates => ({
  input,
  output,
  ...(cacheRead > 0 && { cacheRead }),
  ...(cacheWrite > 0 && { cacheWrite }),
});

const file = process.argv[2] ?? join(ROOT, "packages/models/src/prices/prices.json");
await Bun.write(file, JSON.stringify(await priceTable()));
await formatted(file);

async function priceTable(): Promise<PriceTable> {
  const { version }: { readonly version: string } = await Bun.file(join(SOURCE, "package.json")).json();
  const manifest = Bun.file(join(SOURCE, "dist/providers/data/.manifest.json"));
  const { generatedAt }: { readonly generatedAt: string } = await manifest.json();
  const lists = await Promise.all(Object.entries(LISTS).map(([vendor, list]) => entries(vendor, list)));
  const free = FREE.map((vendor) => [`${vendor}/*`, { input: 0, output: 0 }] as const);
  return {
    date: generatedAt.slice(0, 10),
    source: `${PACKAGE} ${version}`,
    unit: PRICE_UNIT,
    models: Object.fromEntries([...lists.flat(), ...free]),
  };
}

async function entries(vendor: string, list: string): Promise<readonly (readonly [string, ModelFacts])[]> {
  const protocols: Readonly<Record<string, Readonly<Record<string, ListedModel>>>> = await Bun.file(
    join(SOURCE, "dist/providers/data", `${list}.json`),
  ).json();
  const models = Object.values(protocols).flatMap((protocol) => Object.values(protocol));
  return models.map((model) => [`${vendor}/${model.id}`, facts(model)] as const);
}

/** Nothing costs nothing at these vendors: there a zero says that nobody knows, or that it is billed as input. */
function facts({ cost, contextWindow, maxTokens }: ListedModel): ModelFacts {
  const tiers = cost.tiers?.map((tier) => ({ above: tier.inputTokensAbove, ...rates(tier) }));
  return {
    ...(cost.input > 0 && { ...rates(cost), ...(tiers && { tiers }) }),
    window: contextWindow,
    maxOutput: maxTokens,
  };
}

async function formatted(path: string): Promise<void> {
  const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
  const child = Bun.spawn([process.execPath, biome, "format", "--write", "--vcs-enabled=false", path], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const complaints = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(`${path} could not be formatted.\n${complaints}`);
}
