import { realpathSync } from "node:fs";
import { attempt, DATA_FOLDERS, sha256, sourceLayout } from "@mdx-ai/base";
import type { AgentDirectory } from "@mdx-ai/parser";
import { filesBelow, relativePath } from "./collect-code.ts";
import { costEntries } from "./cost-entries.ts";
import { type Entry, entryOfAgent, filesOf, type Manifest } from "./manifest.ts";
import { readManifest } from "./read-manifest.ts";
import { SourceBudget } from "./source-budget.ts";

/**
 * The manifest of another author's agent, with its cost and its data files. Agreed code may read and even evaluate these files, so other
 * contents make another agent. Rejects with `DirectoryError` ("too_large").
 */
export async function readPower(directory: AgentDirectory): Promise<Manifest> {
  const manifest = await readCosts(directory);
  return { ...manifest, entries: [...manifest.entries, ...dataEntries(directory.realPath, manifest)] };
}

/** The manifest of an agent with what it costs. Rejects with `DirectoryError` ("too_large"). */
export async function readCosts(directory: AgentDirectory): Promise<Manifest> {
  const manifest = await readManifest(directory);
  const ofAgents = [...manifest.agents.values()].flatMap(({ directory: { definition } }) =>
    costEntries(definition.settings).map((entry) => entryOfAgent(definition.identity.name, entry)),
  );
  return { ...manifest, entries: [...manifest.entries, ...costEntries(directory.definition.settings), ...ofAgents] };
}

function dataEntries(root: string, manifest: Manifest): readonly Entry[] {
  const budget = new SourceBudget();
  const known = new Set([manifest, ...[...manifest.agents.values()].map((agent) => agent.manifest)].flatMap(({ hashes }) => [...hashes.keys()])); // biome-ignore format: short
  const named = new Set(filesOf(manifest).map(({ item }) => item));
  return filesBelow(root, budget)
    .map((file) => ({ file, item: relativePath(root, file) }))
    .filter(({ file, item }) => isData(item) && !named.has(item) && !known.has(attempt(() => realpathSync(file)) ?? file)) // biome-ignore format: short
    .toSorted((one, other) => (one.item < other.item ? -1 : 1))
    .map(({ file, item }) => ({ kind: "data file", item, effect: "chooses", value: hashOf(file, budget) }));
}

/** Texts for people and models, and pictures. They grant nothing, whatever they say. */
const PROSE =
  /(?:\.(?:mdx?|markdown|txt|rst|png|jpe?g|gif|webp|svg|ico)|(?:^|\/)(?:LICEN[CS]E|NOTICE|AUTHORS|\.gitignore|\.gitattributes))$/i;

const isData = (path: string): boolean => {
  const [first = ""] = path.split("/");
  return !PROSE.test(path) && path !== sourceLayout("").lockFile && ![...DATA_FOLDERS, ".git"].includes(first);
};

const hashOf = (file: string, budget: SourceBudget): string => {
  const bytes = budget.read(file);
  return bytes === undefined ? "unreadable" : sha256(bytes);
};
