import { quoted } from "@mdx-ai/base";
import { foldedName, isLeftOut, pathProblem } from "./file-names.ts";
import { sourceError } from "./source.ts";

/** A file of an agent. */
export interface PackageFile {
  /** In the package or the agent, separated by "/". */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/** A name in a package as it was found; anything may be wrong with it. */
export type FoundEntry =
  | ({ readonly type: "file" } & PackageFile)
  | { readonly type: "folder"; readonly path: string }
  /** Anything else; `what` names it, such as "a symbolic link". */
  | { readonly type: "refused"; readonly path: string; readonly what: string };

/** Limits for one agent. */
export interface PackageLimits {
  readonly files: number;
  /** Of all files, unpacked. */
  readonly bytes: number;
}

/** The same as for what a directory can execute: more cannot be reviewed. */
export const PACKAGE_LIMITS: PackageLimits = { files: 10_000, bytes: 100 * 1024 * 1024 };

/** An agent in a package. */
export interface FoundAgent {
  /** Their paths are relative to the agent's folder; sorted by path. */
  readonly files: readonly PackageFile[];
  /** Paths, or folders that end with "/", that are never part of an agent and were not taken. */
  readonly leftOut: readonly string[];
}

/**
 * The files of a package, if every name in it is one file on every system. Throws `DirectoryError` ("source") for anything but files and
 * folders, for paths that lead out or are ambiguous, for two names that some systems take for the same, and beyond the limits.
 */
export function safeFiles(
  entries: readonly FoundEntry[],
  { files: maxFiles, bytes: maxBytes }: PackageLimits = PACKAGE_LIMITS,
): readonly PackageFile[] {
  const names = new Map<string, string>();
  const files: PackageFile[] = [];
  let bytes = 0;
  for (const entry of entries) {
    requireSafePath(entry);
    addNames(entry, names);
    if (entry.type === "folder") continue;
    if (entry.type === "refused")
      throw sourceError(`${quoted(entry.path)} is ${entry.what}; only files and folders are allowed`);
    files.push({ path: entry.path, bytes: entry.bytes, isExecutable: entry.isExecutable });
    bytes += entry.bytes.length;
    if (files.length > maxFiles) throw tooManyFiles(maxFiles);
    if (bytes > maxBytes) throw tooManyBytes(maxBytes);
  }
  return files;
}

export const tooManyFiles = (most: number): Error => sourceError(`the package has more than ${most} files`);

export const tooManyBytes = (most: number): Error =>
  sourceError(`the package has more than ${Math.floor(most / 1024 / 1024)} MB of files`);

function requireSafePath({ path }: FoundEntry): void {
  const problem = pathProblem(path);
  if (problem !== undefined) throw sourceError(`the path ${quoted(path)} ${problem}`);
}

/** Records a name and its folders. `names` has the kind and the path of each folded path. */
function addNames(entry: FoundEntry, names: Map<string, string>): void {
  const parts = entry.path.split("/");
  for (const index of parts.keys()) {
    const isLast = index === parts.length - 1;
    const kind = isLast && entry.type !== "folder" ? "file" : "folder";
    const path = parts.slice(0, index + 1).join("/");
    const folded = foldedName(path);
    const value = `${kind} ${path}`;
    const before = names.get(folded);
    if (before !== undefined && (before !== value || kind === "file")) throw sameName(path, before);
    names.set(folded, value);
  }
}

function sameName(path: string, before: string): Error {
  const other = before.slice(before.indexOf(" ") + 1);
  return path === other
    ? sourceError(`${quoted(path)} is in the package twice`)
    : sourceError(`${quoted(path)} and ${quoted(visibleDifference(other))} are the same file on some systems`);
}

/** Letters outside ASCII as escapes: the two names may look the same. */
const visibleDifference = (name: string): string =>
  name.replace(/[^ -~]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);

/** The files below a folder of a package, with paths relative to it; all if the folder is "". */
export const filesIn = <Named extends { readonly path: string }>(
  files: readonly Named[],
  folder: string,
): readonly Named[] =>
  folder === ""
    ? files
    : files
        .filter(({ path }) => path.startsWith(`${folder}/`))
        .map((file) => ({ ...file, path: file.path.slice(folder.length + 1) }));

/** The files of a package of npm without the folder in which all of them are, usually `package/`. */
export const unwrapped = (files: readonly PackageFile[]): readonly PackageFile[] =>
  safeFiles(
    files.flatMap((file) => {
      const start = file.path.indexOf("/");
      return start < 0 ? [] : [{ type: "file", ...file, path: file.path.slice(start + 1) }];
    }),
  );

/** What belongs to an agent of a folder's files, sorted by path, and what does not. */
export function agentFiles(files: readonly PackageFile[]): FoundAgent {
  const agents = new Set(files.flatMap(({ path }) => (isDefinition(path) ? [folderOf(path)] : [])));
  const leftOut = new Set<string>();
  const kept = files.filter(({ path }) => {
    const outside = partLeftOut(path, agents);
    if (outside !== undefined) leftOut.add(outside);
    return outside === undefined;
  });
  return { files: kept.toSorted(byPath), leftOut: [...leftOut].sort() };
}

/** The first part of a path that is never part of an agent; undefined if all are. */
function partLeftOut(path: string, agents: ReadonlySet<string>): string | undefined {
  const names = path.split("/");
  const index = names.findIndex((name, at) => isLeftOut(name, agents.has(names.slice(0, at).join("/"))));
  if (index < 0) return undefined;
  return `${names.slice(0, index + 1).join("/")}${index < names.length - 1 ? "/" : ""}`;
}

/** By the bytes of UTF-8, as `LC_ALL=C sort` does. */
const byPath = (one: PackageFile, other: PackageFile): number =>
  Buffer.compare(Buffer.from(one.path), Buffer.from(other.path));

const isDefinition = (path: string): boolean => path === "agent.mdx" || path.endsWith("/agent.mdx");

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** How a package and the folders in it are called in messages. */
export interface PackageNaming {
  readonly name: string;
  /** How its user would write a folder in it; undefined if that is not possible. */
  nameFolder(folder: string): string | undefined;
}

/**
 * The folder of the only agent of a package: the given one, its root, or one folder in that. Throws `DirectoryError` ("source") if there
 * is no agent, or more than one.
 */
export function folderOfAgent(paths: readonly string[], given: string | undefined, naming: PackageNaming): string {
  const all = paths.filter(isDefinition).map(folderOf);
  if (given !== undefined) {
    if (all.includes(given)) return given;
    const what = given === "" ? "its folder" : `its folder ${quoted(given)}`;
    throw sourceError(`${naming.name} has no agent.mdx in ${what}${others(all, naming)}`);
  }
  if (all.includes("")) return "";
  const near = all.filter((folder) => !folder.includes("/"));
  const [only] = near;
  if (only !== undefined && near.length === 1) return only;
  const what = near.length > 1 ? `has ${near.length} agents` : "has no agent.mdx at its root or in one folder";
  throw sourceError(`${naming.name} ${what}${others(all, naming)}`);
}

function others(folders: readonly string[], { nameFolder }: PackageNaming): string {
  const named = folders.slice(0, 3).flatMap((folder) => nameFolder(folder) ?? []);
  return named.length === 0 ? "" : `; there is ${named.join(", ")}`;
}
