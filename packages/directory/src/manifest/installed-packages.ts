import { readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { attempt, isRecord, sha256 } from "@mdx-ai/base";
import { type ImportGraph, type PackageFile, packageOf } from "../imports/import-graph.ts";
import { ALLOWED, type Entry } from "./entry.ts";

/**
 * The packages of a graph, by name and version, each with a hash of its imported files and its package.json. Adds their package.json files, which decide what is imported, and their native
 * parts, whose names are computed at run time, to the graph.
 */
export function installedPackages(graph: ImportGraph): readonly Entry[] {
  const labels = addedLabels(graph);
  const copies = Map.groupBy(labels.values(), (label) => label);
  const packages = new Map<string, Set<string>>();
  for (const file of graph.files) {
    const owner = packageOf(file.path);
    const label = owner === undefined ? undefined : labels.get(owner.folder);
    if (owner === undefined || label === undefined) continue;
    // If several packages have the same name, it matters which file is in which.
    const path = copies.get(label)?.length === 1 ? owner.path : `${inPackages(owner.folder)}/${owner.path}`;
    packages.set(label, (packages.get(label) ?? new Set()).add(`${file.hash} ${path}`));
  }
  return [...packages]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([item, files]) => ({ kind: "package", item, ...ALLOWED, value: sha256([...files].sort().join("\n")) }));
}

/** The names and versions of the packages, by their folders. */
function addedLabels(graph: ImportGraph): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const { path } of graph.files) {
    const owner = packageOf(path);
    if (owner !== undefined && !labels.has(owner.folder)) labels.set(owner.folder, labelOf(owner, graph));
  }
  for (const folder of labels.keys()) for (const path of nativeFiles(folder)) graph.addContent(path);
  return labels;
}

/** The path of a package's folder from the outermost `node_modules`, which is the same on all machines. */
const inPackages = (folder: string): string => folder.slice(folder.indexOf(`${sep}node_modules${sep}`));

/** The package's name and version. */
function labelOf({ name, folder }: PackageFile, graph: ImportGraph): string {
  const file = join(folder, "package.json");
  graph.addContent(file);
  const version = versionIn(file);
  return version === undefined ? name : `${name}@${version}`;
}

const NATIVE = new Bun.Glob("**/*.node");

/** The files of a package, without the packages in it. None for a folder that cannot be read. */
function nativeFiles(folder: string): readonly string[] {
  const paths = attempt(() => [...NATIVE.scanSync({ cwd: folder, absolute: true, dot: true })]) ?? [];
  return paths.filter((path) => packageOf(path)?.folder === folder);
}

function versionIn(file: string): string | undefined {
  const value: unknown = attempt(() => JSON.parse(readFileSync(file, "utf8")));
  return isRecord(value) && typeof value["version"] === "string" ? value["version"] : undefined;
}
