import { realPathOrSame } from "@mdx-ai/base/disk";
import type { AgentDirectory } from "@mdx-ai/parser";
import { type ImportGraph, packageOf } from "../imports/import-graph.ts";
import { capabilities } from "./capabilities.ts";
import { allServers, type CollectedCode, collectCode, relativePath } from "./collect-code.ts";
import { ALLOWED } from "./entry.ts";
import { installedPackages } from "./installed-packages.ts";
import { fileKind, isInside, type Manifest } from "./manifest.ts";
import { serverEntries } from "./server-entries.ts";

/**
 * Finds everything that a directory can execute. For agent.mdx this is what was parsed, not the current file; every other
 * file is read once. Runs no code. Rejects with `DirectoryError` ("too_large") beyond 20,000 files or 200 megabytes.
 */
export async function readManifest(directory: AgentDirectory): Promise<Manifest> {
  return manifestOf(collectCode(directory));
}

function manifestOf({ root, directory, graph, importingTools, serverFolders }: CollectedCode): Manifest {
  const { skills, tools } = directory.definition;
  const sources = tools.flatMap(({ code }) => code.file ?? []);
  const packages = installedPackages(graph);
  const own = graph.files.filter(({ path }) => packageOf(path) === undefined);
  const files = own.map(({ path, hash }) => ({ item: relativePath(root, path), value: hash })).sort(byItem);
  return {
    entries: [
      ...capabilities(directory.definition),
      ...files.map((file) => ({ kind: fileKind(file.item, sources), ...ALLOWED, ...file })),
      ...packages,
      ...allServers(directory).flatMap(serverEntries),
    ],
    skills: skills.map(({ name }) => name),
    importingTools,
    hashes: new Map(graph.files.map(({ path, hash }) => [path, hash])),
    links: linksOf(root, directory.path, graph),
    shadows: [...graph.shadows].flatMap((path) => inside(root, directory.path, path) ?? []).sort(),
    folders: serverFolders.flatMap((path) => inside(root, directory.path, path) ?? []).sort(),
  };
}

const byItem = (one: { readonly item: string }, other: { readonly item: string }): number =>
  one.item < other.item ? -1 : Number(one.item > other.item);

function linksOf(root: string, directory: string, graph: ImportGraph): readonly string[] {
  const files = new Set(graph.files.map(({ path }) => path));
  const real = new Set([...files].map((path) => relativePath(root, path)));
  const leading = [...graph.paths].filter((path) => files.has(realPathOrSame(path)));
  const written = leading.map((path) => inside(root, directory, path));
  return [...new Set(written.filter((path) => path !== undefined))].filter((path) => !real.has(path)).sort();
}

/** The path of a file relative to the directory, which may itself be a link; undefined for a file outside of it. */
function inside(root: string, directory: string, path: string): string | undefined {
  return [relativePath(root, path), relativePath(directory, path)].find((way) => isInside(way));
}
