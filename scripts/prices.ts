// `npm run prices`: makes packages/models/src/prices/prices.json from the model lists of a package that gathers what
// vendors publish. It is fetched, since nothing else is wanted of it; for newer prices raise VERSION. With two arguments,
// an unpacked package and a file, that package's lists go to that file instead.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ModelFacts, PRICE_UNIT, type PriceTable, type Rates } from "../packages/models/src/prices/model-facts.ts";

const ROOT = join(import.meta.dir, "..");
const PACKAGE = "@earendil-works/pi-ai";
const VERSION = "1.5.2";
const BIOME = join(ROOT, "node_modules/@biomejs/biome/bin/biome");

/** The lists of the package, by our vendors. */
const LISTS = {
  anthropic: "anthropic",
  openai: "openai",
  gemini: "google",
  mistral: "mistral",
  groq: "groq",
  deepseek: "deepseek",
  xai: "xai",
} as const;

/** Vendors without costs: the user's machine, and test models. */
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
  readonly input: readonly string[];
}

/** By protocol, then by kind and name, as in `chat:NAME`. */
type ModelList = Readonly<Record<string, Readonly<Record<string, ListedModel>>>>;

await makePrices(process.argv[2], process.argv[3] ?? join(ROOT, "packages/models/src/prices/prices.json"));

async function makePrices(unpacked: string | undefined, file: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "mdx-ai-prices-"));
  try {
    const source = unpacked ?? (await fetchPackage(folder));
    await Bun.write(file, JSON.stringify(await priceTable(source)));
    await run([process.execPath, BIOME, "format", "--write", "--vcs-enabled=false", file], ROOT);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function fetchPackage(folder: string): Promise<string> {
  await run(["npm", "pack", "--silent", `${PACKAGE}@${VERSION}`], folder);
  const [archive = ""] = await Array.fromAsync(new Bun.Glob("*.tgz").scan(folder));
  await run(["tar", "-xzf", archive], folder);
  return join(folder, "package");
}

async function priceTable(source: string): Promise<PriceTable> {
  const { name, version }: { name: string; version: string } = await Bun.file(join(source, "package.json")).json();
  const { generatedAt }: { generatedAt: string } = await listFile(source, ".manifest").json();
  const lists = await Promise.all(Object.entries(LISTS).map(([vendor, list]) => entries(source, vendor, list)));
  const free = FREE.map((vendor) => [`${vendor}/*`, { input: 0, output: 0 }] as const);
  return {
    date: generatedAt.slice(0, 10),
    source: `${name} ${version}`,
    unit: PRICE_UNIT,
    models: Object.fromEntries([...lists.flat(), ...free]),
  };
}

async function entries(source: string, vendor: string, list: string): Promise<readonly [string, ModelFacts][]> {
  const protocols: ModelList = await listFile(source, list).json();
  const models = Object.values(protocols).flatMap((protocol) => Object.entries(protocol));
  const talking = models.filter(([key]) => key.startsWith("chat:"));
  return talking.map(([, model]) => [`${vendor}/${model.id}`, facts(model)]);
}

/** Nothing is free at these vendors: a zero means that the price is unknown, or that it is billed as input. */
function facts({ cost, contextWindow, maxTokens, input }: ListedModel): ModelFacts {
  const tiers = cost.tiers?.map((tier) => ({ above: tier.inputTokensAbove, ...rates(tier) }));
  return {
    ...(cost.input > 0 && { ...rates(cost), ...(tiers && { tiers }) }),
    window: contextWindow,
    maxOutput: maxTokens,
    ...(!input.includes("image") && { images: false }),
  };
}

function rates({ input, output, cacheRead, cacheWrite }: ListedRates): Rates {
  return { input, output, ...(cacheRead > 0 && { cacheRead }), ...(cacheWrite > 0 && { cacheWrite }) };
}

function listFile(source: string, name: string): Bun.BunFile {
  return Bun.file(join(source, "dist/providers/data", `${name}.json`));
}

async function run(command: readonly string[], cwd: string): Promise<void> {
  const child = Bun.spawn([...command], { cwd, stdio: ["ignore", "ignore", "pipe"] });
  const complaints = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed.\n${complaints}`);
}
