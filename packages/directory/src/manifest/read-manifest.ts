import { readFileSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { attempt, isRecord, sha256 } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import type { AgentDirectory, SubagentDefinition } from "@mdx-ai/parser";
import { type ImportGraph, type PackageFile, packageOf } from "../imports/import-graph.ts";
import { capabilities } from "./capabilities.ts";
import { type CollectedCode, collectCode, relativePath } from "./collect-code.ts";
import {
  type AgentContents,
  ALLOWED,
  type Entry,
  entryOfAgent,
  fileKind,
  isInside,
  type Manifest,
} from "./manifest.ts";
import { serverEntries } from "./server-entries.ts";

/**
 * Finds everything that a directory can execute. Uses agent.mdx as parsed, not the current file; every other
 * file is read once. Runs no code. Rejects with `DirectoryError` ("too_large") beyond 20,000 files or 200 megabytes.
 */
export async function readManifest(directory: AgentDirectory): Promise<Manifest> {
  const own = manifestOf(collectCode(directory));
  const { agents = [] } = directory.definition;
  if (agents.length === 0) return own;
  const contents = new Map<string, AgentContents>();
  for (const [path, agent] of directory.subagents ?? []) {
    contents.set(path, { directory: agent, manifest: manifestOf(collectCode(agent)) });
  }
  const ofAgents = [...contents.values()].flatMap(({ directory: agent, manifest }) =>
    withAgents(agent, manifest.entries).map((entry) => entryOfAgent(agent.definition.identity.name, entry)),
  );
  return { ...own, agents: contents, entries: [...withAgents(directory, own.entries), ...ofAgents] };
}

const withAgents = ({ definition }: AgentDirectory, entries: readonly Entry[]): readonly Entry[] => [
  ...entries,
  ...(definition.agents ?? []).map(agentEntry),
];

const agentEntry = ({ name, src }: Pick<SubagentDefinition, "name" | "src">): Entry => ({
  ...{ kind: "agent", item: name, effect: "allows", value: src },
});

function manifestOf({ root, directory, graph, importingTools, servers, serverFolders }: CollectedCode): Manifest {
  const { skills, tools } = directory.definition;
  const sources = tools.flatMap(({ code }) => code.file ?? []);
  const packages = installedPackages(graph);
  const own = [...graph.files].filter(([path]) => packageOf(path) === undefined);
  const files = own.map(([path, value]) => ({ item: relativePath(root, path), value })).sort(byItem);
  return {
    entries: [
      ...capabilities(directory.definition),
      ...files.map((file) => ({ kind: fileKind(file.item, sources), ...ALLOWED, ...file })),
      ...packages,
      ...servers.flatMap(serverEntries),
    ],
    skills: skills.map(({ name }) => name),
    importingTools,
    hashes: new Map(graph.files),
    links: linksOf(root, directory.path, graph),
    shadows: [...graph.shadows].flatMap((path) => inside(root, directory.path, path) ?? []).sort(),
    outside: [...graph.shadows].flatMap((path) => outside(root, directory.path, path) ?? []).sort(),
    missing: [...graph.missing].sort(),
    folders: serverFolders.flatMap((path) => inside(root, directory.path, path) ?? []).sort(),
    agents: new Map(),
  };
}

const byItem = (one: { readonly item: string }, other: { readonly item: string }): number =>
  one.item < other.item ? -1 : Number(one.item > other.item);

function linksOf(root: string, directory: string, graph: ImportGraph): readonly string[] {
  const real = new Set([...graph.files.keys()].map((path) => relativePath(root, path)));
  const leading = [...graph.paths].filter((path) => graph.files.has(realPathOrSame(path)));
  const written = leading.map((path) => inside(root, directory, path));
  return [...new Set(written.filter((path) => path !== undefined))].filter((path) => !real.has(path)).sort();
}

/** The path of a file relative to the directory, which may itself be a link; undefined for a file outside. */
function inside(root: string, directory: string, path: string): string | undefined {
  return [relativePath(root, path), relativePath(directory, path)].find((way) => isInside(way));
}

/** The path of a missing file outside the directory; undefined for one inside, and for a folder of packages. */
const outside = (root: string, directory: string, path: string): string | undefined =>
  basename(path) === "node_modules" || inside(root, directory, path) !== undefined
    ? undefined
    : relativePath(root, path);

/**
 * The packages of a graph, by name and version, each with a hash of its imported files and its package.json. Adds their package.json files, which decide what is imported, and their native
 * parts, whose names are computed at run time, to the graph.
 */
function installedPackages(graph: ImportGraph): readonly Entry[] {
  const labels = addedLabels(graph);
  const copies = Map.groupBy(labels.values(), (label) => label);
  const packages = new Map<string, Set<string>>();
  for (const [file, hash] of graph.files) {
    const owner = packageOf(file);
    const label = owner === undefined ? undefined : labels.get(owner.folder);
    if (owner === undefined || label === undefined) continue;
    // If several packages have the same name, the hash must show which file belongs to which.
    const path = copies.get(label)?.length === 1 ? owner.path : `${inPackages(owner.folder)}/${owner.path}`;
    packages.set(label, (packages.get(label) ?? new Set()).add(`${hash} ${path}`));
  }
  return [...packages]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([item, files]) => ({ kind: "package", item, ...ALLOWED, value: sha256([...files].sort().join("\n")) }));
}

/** The names and versions of the packages, by their folders. */
function addedLabels(graph: ImportGraph): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const path of [...graph.files.keys()]) {
    const owner = packageOf(path);
    if (owner !== undefined && !labels.has(owner.folder)) labels.set(owner.folder, labelOf(owner, graph));
  }
  for (const folder of labels.keys()) for (const path of nativeFiles(folder)) graph.addContent(path);
  return labels;
}

/** The path of a package's folder from the outermost `node_modules`. It is the same on all machines. */
const inPackages = (folder: string): string => folder.slice(folder.indexOf(`${sep}node_modules${sep}`));

/** The package's name and version. */
function labelOf({ name, folder }: PackageFile, graph: ImportGraph): string {
  const file = join(folder, "package.json");
  graph.addContent(file);
  const version = versionIn(file);
  return version === undefined ? name : `${name}@${version}`;
}

const NATIVE = new Bun.Glob("**/*.node");

/** The files of a package, without nested packages. Empty if the folder cannot be read. */
function nativeFiles(folder: string): readonly string[] {
  const paths = attempt(() => [...NATIVE.scanSync({ cwd: folder, absolute: true, dot: true })]) ?? [];
  return paths.filter((path) => packageOf(path)?.folder === folder);
}

function versionIn(file: string): string | undefined {
  const value: unknown = attempt(() => JSON.parse(readFileSync(file, "utf8")));
  return isRecord(value) && typeof value["version"] === "string" ? value["version"] : undefined;
}
