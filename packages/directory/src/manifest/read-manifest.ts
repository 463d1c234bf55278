import { sha256, sortedJson } from "@mdx-ai/base";
import { realPlaceOrSame } from "@mdx-ai/base/disk";
import type { AgentDefinition, AgentDirectory } from "@mdx-ai/parser";
import { type ImportGraph, packageOf } from "@mdx-ai/runtime/imports";
import { allServers, type CollectedCode, collectCode, relativePath } from "./collect-code.ts";
import { installedPackages } from "./installed-packages.ts";
import {
  fileKind,
  isInside,
  type Manifest,
  type ManifestFile,
  type ManifestSettings,
  type ManifestTool,
  skillToolsOf,
} from "./manifest.ts";
import { manifestServer } from "./manifest-server.ts";

/**
 * Finds everything that a directory can execute. For agent.mdx this is what was parsed, not the current file; every other
 * file is read once. Runs no code. Rejects with `DirectoryError` ("too_large") beyond 20,000 files or 200 megabytes.
 */
export async function readManifest(directory: AgentDirectory): Promise<Manifest> {
  return manifestOf(collectCode(directory));
}

function manifestOf({ root, directory, graph, tools, serverFolders }: CollectedCode): Manifest {
  const { program, skills, settings } = directory.definition;
  const packages = installedPackages(graph);
  const own = graph.files.filter(({ path }) => packageOf(path) === undefined);
  return {
    tools,
    ...(program !== undefined && { program: sha256(withoutMap(program)) }),
    files: own.map(({ path, hash }) => manifestFile(relativePath(root, path), hash, tools)).sort(byPath),
    hashes: new Map(graph.files.map(({ path, hash }) => [path, hash])),
    packages,
    links: linksOf(root, directory.path, graph),
    shadows: [...graph.shadows]
      .map((path) => inside(root, directory.path, path))
      .filter((path) => path !== undefined)
      .sort(),
    folders: serverFolders.flatMap((path) => inside(root, directory.path, path) ?? []).sort(),
    skills: skills.map(({ name, path }) => ({ name, path })),
    servers: allServers(directory).map(manifestServer),
    skillTools: skillToolsOf(skills),
    settings: powers(settings),
    ...wakingOf(directory.definition),
  };
}

/** The source map does not execute. */
const withoutMap = (program: string): string => program.replace(/\n\/\/# sourceMappingURL=[^\n]*\n?$/, "");

const byPath = (one: { readonly path: string }, other: { readonly path: string }): number =>
  one.path < other.path ? -1 : Number(one.path > other.path);

function linksOf(root: string, directory: string, graph: ImportGraph): readonly string[] {
  const files = new Set(graph.files.map(({ path }) => path));
  const real = new Set([...files].map((path) => relativePath(root, path)));
  const leading = [...graph.paths].filter((path) => files.has(realPlaceOrSame(path)));
  const written = leading.map((path) => inside(root, directory, path));
  return [...new Set(written.filter((path) => path !== undefined))].filter((path) => !real.has(path)).sort();
}

/** The path of a file relative to the directory, which may itself be a link; undefined for a file outside of it. */
function inside(root: string, directory: string, path: string): string | undefined {
  return [relativePath(root, path), relativePath(directory, path)].find((way) => isInside(way));
}

function powers(settings: AgentDefinition["settings"]): ManifestSettings {
  const { permissions, mode, workspace, sandbox, builtins, tools, skills } = settings;
  return {
    ...(permissions !== undefined && { permissions }),
    ...(mode !== undefined && { mode }),
    ...(workspace !== undefined && { workspace }),
    ...(sandbox !== undefined && { sandbox }),
    ...(builtins !== undefined && { builtins }),
    ...(tools !== undefined && { tools }),
    ...(skills?.paths !== undefined && { skills: { paths: skills.paths } }),
  };
}

/** The prompts and times of the heartbeat: they run unattended. */
function wakingOf({ heartbeat, settings }: AgentDefinition): Pick<Manifest, "heartbeat" | "waking"> {
  const { schedule, timezone } = settings;
  if (heartbeat === undefined && schedule === undefined) return {};
  const routines = heartbeat?.routines.map(({ name, time }) => [name, time]);
  const waking = sha256(sortedJson([{ ...heartbeat, routines }, schedule, timezone]));
  return { heartbeat: wakeUpText(heartbeat, schedule), waking };
}

function manifestFile(path: string, hash: string, tools: readonly ManifestTool[]): ManifestFile {
  return { path, kind: fileKind(path, tools), hash };
}

function wakeUpText(heartbeat: AgentDefinition["heartbeat"], schedule: string | undefined): string {
  const { interval, routines = [] } = heartbeat ?? {};
  const pace = [
    ...(interval === undefined ? [] : [`every ${Math.round(interval / 1000)} seconds`]),
    ...(schedule === undefined ? [] : [`every ${schedule}`]),
  ];
  return [...pace, ...routines.map((routine) => routine.name)].join(", ") || "heartbeat.md";
}
