import { statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { foldersFrom, isWithin, sha256 } from "@mdx-ai/base";
import { pathWithin, realPathOrSame, requireSteady, requireUnshared, SharedFileError } from "@mdx-ai/base/disk";
import type { AgentDirectory } from "@mdx-ai/parser";
import type { AgentOptions, TrustedCode } from "@mdx-ai/runtime";
import { SKILL_FOLDER } from "../manifest/capabilities.ts";
import { entriesHash, filesOf, isInside, itemsOf, type Manifest } from "../manifest/manifest.ts";

/** A directory that the user trusts. */
export interface TrustedDirectory extends AgentDirectory {
  /** The contents that this trust covers. */
  readonly manifest: Manifest;
}

/** A directory and its trusted contents. Without trusted contents, none of its code runs. */
export type ReadDirectory = AgentDirectory & Partial<Pick<TrustedDirectory, "manifest">>;

/** The code that the user's trust covers; none for a directory that runs nothing. */
export const trustOf = ({ path, manifest }: ReadDirectory): Pick<AgentOptions, "trusted"> =>
  manifest === undefined ? {} : { trusted: trustedCode(path, manifest) };

function trustedCode(path: string, manifest: Manifest): TrustedCode {
  const files = filesOf(manifest);
  const listed = [...trustedFiles(manifest, files), ...shadowingFiles(manifest), ...filesOfAgents(path, manifest)];
  const modules = importedHash(manifest, files);
  return {
    files: listed,
    tools: codeHashes(manifest, modules),
    modules,
    imports: {
      hashes: manifest.hashes,
      links: manifest.links.map((link) => join(path, link)),
      absent: manifest.shadows.map((shadow) => join(path, shadow)),
    },
  };
}

/** Files that always define an agent. */
const ALWAYS: readonly string[] = ["agent.mdx", "heartbeat.md"];

/**
 * The trusted files of a directory, relative to it, with "/" separators, sorted: agent.mdx, heartbeat.md,
 * and all files that execute or decide what executes, by their real paths and by links to them. Files of installed
 * packages, in `node_modules`, are not listed.
 */
function trustedFiles(manifest: Manifest, files = filesOf(manifest)): readonly string[] {
  const real = files.map(({ item }) => item).filter(isInside);
  return [...new Set([...ALWAYS, ...real, ...manifest.links, ...manifest.folders, ...skillFolders(manifest)])].sort();
}

/** The same for the agents within the directory that work for it. */
const filesOfAgents = (path: string, { agents }: Manifest): readonly string[] =>
  [...agents].flatMap(([agentPath, { directory, manifest }]) => {
    const within = pathWithin(realPathOrSame(path), agentPath);
    if (within === undefined || within === "") return [];
    if (directory.source !== undefined) return [within];
    return [...trustedFiles(manifest), ...DEFINING_FOLDERS].map((file) => join(within, file)).filter(isInside);
  });

/** The skill folders in the directory that its settings name: a new file there changes the agent. */
const skillFolders = (manifest: Manifest): readonly string[] =>
  itemsOf(manifest, SKILL_FOLDER)
    .map((path) => normalize(path).replace(/\/$/, ""))
    .filter((path) => isInside(path) && !path.startsWith("~"));

/** Paths in the directory, except in installed packages, where a new file would execute in place of a trusted one. */
const shadowingFiles = ({ shadows }: Manifest): readonly string[] =>
  shadows.filter((path) => !`/${path}`.includes("/node_modules/"));

/**
 * A hash for each inline tool, by name, that changes with the tool's code. If the tool imports files, every file that code
 * of the directory imports counts as its code: `imported` is the hash of these.
 */
function codeHashes(manifest: Manifest, imported: string): ReadonlyMap<string, string> {
  return new Map(
    manifest.entries.flatMap(({ kind, item = "", aspect, value }) => {
      if (kind !== "tool" || aspect !== "code") return [];
      const code = String(value);
      return [[item, manifest.importingTools.includes(item) ? sha256(`${code} ${imported}`) : code] as const];
    }),
  );
}

/** A hash that changes with the code of a module, and with any other file that code of the directory imports. */
function importedHash(manifest: Manifest, files: ReturnType<typeof filesOf>): string {
  const imported = files.filter(({ kind }) => kind !== "script");
  const installed = manifest.entries.filter(({ kind }) => kind === "package");
  return entriesHash([...imported, ...installed]);
}

/** Folders in which a new file changes the agent. */
const DEFINING_FOLDERS: readonly string[] = ["modules", "tools", "skills", "agents"];

/**
 * Checks that only the user can edit a directory: throws `SharedFileError` if others can
 * write to it, to a file or folder that defines the agent, or to a folder above in a way that replaces it.
 */
export function requireExclusiveEdits({ realPath: directory, source }: AgentDirectory, manifest: Manifest): void {
  const outside = filesOf(manifest)
    .map(({ item }) => item)
    .filter((path) => path.startsWith("../"));
  const files = [...DEFINING_FOLDERS, ...trustedFiles(manifest), ...outside].map((path) => join(directory, path));
  const within = new Set([directory, ...files.flatMap((file) => [file, ...foldersOf(file, directory)])]);
  if (source !== undefined) within.add(source).add(dirname(source));
  for (const path of within) check(path, requireUnshared);
  for (const folder of foldersFrom(dirname(source ?? directory))) check(folder, requireSteady);
}

/** Whether only the user can edit a directory. */
export function hasExclusiveEdits(directory: AgentDirectory, manifest: Manifest): boolean {
  try {
    requireExclusiveEdits(directory, manifest);
    return true;
  } catch (error) {
    if (error instanceof SharedFileError) return false;
    throw error;
  }
}

/** The folders from a file up to a directory; only the file's folder if it is elsewhere. */
function foldersOf(file: string, directory: string): readonly string[] {
  const folder = dirname(file);
  if (!isWithin(directory, folder) || folder === directory) return [folder];
  return [folder, ...foldersOf(folder, directory)];
}

/** A missing file would be created in a checked folder. Follows links. */
function check(path: string, require: typeof requireSteady): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined) require(path, stats);
}
