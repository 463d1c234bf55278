import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { attempt, type Environment, isWithin } from "@mdx-ai/base";
import { readOpened, realPathOrSame, resolveRealPath } from "@mdx-ai/base/disk";
import type { ToolCode, ToolFiles } from "@mdx-ai/parser";
import { importedFiles } from "./imports/imported-files.ts";
import type { MountDraft } from "./mount-draft.ts";
import type { Mount } from "./mounts.ts";

/** A tool that declares its files, and its environment. All paths are absolute. */
interface NarrowedTool {
  /** Real. */
  readonly agentDir: string;
  /** The user's working directory and the workspace. */
  readonly folders: readonly string[];
  readonly environment: Environment;
  readonly code: ToolCode;
  readonly named: NamedPaths;
  /** The files that a process of mdx-ai needs. */
  readonly program: readonly string[];
}

/** The paths that a tool declares, existing or not. Absolute and real. */
export interface NamedPaths {
  readonly read: readonly string[];
  /** The paths to write; a missing one is replaced by its folder. */
  readonly written: readonly string[];
}

/** Creates the folders of the agent directory that a tool declares for writing. Throws the file system's error. */
export function makeWrittenFolders(agentDir: string, { write }: ToolFiles): void {
  const folders = write.flatMap((pattern) => writtenPlace(agentDir, pattern) ?? []);
  for (const folder of folders.filter((path) => !existsSync(path))) mkdirSync(folder, { recursive: true });
}

/** The paths that a tool declares, before or after `makeWrittenFolders`. Throws the file system's error. */
export const namedPaths = (agentDir: string, { read, write }: ToolFiles): NamedPaths => ({
  read: read.flatMap((pattern) => placeOf(agentDir, pattern) ?? []),
  written: write.flatMap((pattern) => writtenPlace(agentDir, pattern) ?? []),
});

/**
 * Narrows the mounts of a sandbox to the files that a tool declares. In the agent directory, home folder, working directory and
 * workspace, it sees only these and its own code, if the sandbox shows them. A pattern counts as the folder before its first
 * wildcard. Files that define or record the agent stay protected. Throws the file system's error.
 */
export function narrowedMounts(wide: MountDraft, tool: NarrowedTool): Map<string, Mount> {
  const { agentDir, environment, named, program } = tool;
  const { read, written } = named;
  const folders = [environment["HOME"], ...tool.folders, agentDir].filter(
    (folder) => folder !== undefined && folder !== "/",
  );
  const hidden = folders.flatMap((folder = "/") => (existsSync(folder) ? [resolveRealPath(folder)] : []));
  const narrow = new Map<string, Mount>(hidden.map((folder) => [folder, { kind: "hidden-folder" }]));
  const isIn = (places: readonly string[], path: string): boolean => places.some((place) => isWithin(place, path));
  for (const [place, mount] of wide.mounts) if (!isIn(hidden, place)) narrow.set(place, mount);
  const code = importedPlaces(tool.code, agentDir);
  const shown = [...program.map(resolveRealPath), ...code, ...read.filter((place) => wide.isVisible(place))];
  for (const place of shown.filter((path) => existsSync(path))) narrow.set(place, READ_ONLY);
  for (const place of written.filter((path) => wide.isVisible(path)))
    narrow.set(place, wide.around(place)?.kind === "writable" ? WRITABLE : READ_ONLY);
  // Inside the shown paths, hidden, read-only and unmovable paths stay so.
  for (const [place, mount] of wide.mounts) {
    if (isIn(written, place) || (isIn(read, place) && mount.kind !== "writable")) narrow.set(place, mount);
  }
  return narrow;
}

const READ_ONLY: Mount = { kind: "read-only" };
const WRITABLE: Mount = { kind: "writable" };

/**
 * The real path that a pattern names: the whole path, or the folder before its first wildcard. Undefined for a pattern in the
 * agent directory that leads out of it by a link, which a tool may have created.
 */
function placeOf(agentDir: string, pattern: string): string | undefined {
  const parts = pattern.split("/");
  const wildcard = parts.findIndex((part) => /[*?]/.test(part));
  const path = (wildcard === -1 ? parts : parts.slice(0, wildcard)).join("/");
  const named = path === "" && pattern.startsWith("/") ? "/" : resolve(agentDir, path);
  const real = realPathOrSame(named);
  return isWithin(agentDir, named) && !isWithin(agentDir, real) ? undefined : real;
}

/** A missing file needs a writable folder; inside the agent directory the folder may be missing, too. */
function writtenPlace(agentDir: string, pattern: string): string | undefined {
  const place = placeOf(agentDir, pattern);
  if (place === undefined || existsSync(place)) return place;
  const folder = /[*?]/.test(pattern) ? place : dirname(place);
  return isWithin(agentDir, folder) || existsSync(folder) ? folder : undefined;
}

/** The most files that are read for their imports, and the size of the largest, in bytes. */
const MAX_FILES = 200;
const MAX_FILE = 16 * 1024 * 1024;

/** The files that decide the target of an import. */
const RESOLVING: readonly string[] = ["node_modules", "package.json", "tsconfig.json"];

/**
 * The files and folders of an agent directory that a tool needs to load: its file, the files that it imports, directly or not,
 * and installed packages. Absolute and real; all exist. Missing files are left out: loading reports them.
 */
export function importedPlaces(code: ToolCode, agentDir: string): readonly string[] {
  const root = resolveRealPath(agentDir);
  let count = 0;
  const read = (path: string): string | undefined => (count++ < MAX_FILES ? readSource(path) : undefined);
  const file = join(root, code.file ?? "agent.mdx");
  const imported = importedFiles({ text: code.text, file, root }, read);
  const source = code.file === undefined ? [] : [resolveRealPath(file)].filter((path) => isWithin(root, path));
  const resolving = RESOLVING.map((name) => join(root, name)).filter((path) => existsSync(path));
  return [...new Set([...source, ...imported, ...resolving.map(resolveRealPath)])];
}

/** Undefined if it is not a regular file, cannot be read or is too large to be code. */
const readSource = (path: string): string | undefined =>
  attempt(() => readOpened(path, (file, { size }) => (size > MAX_FILE ? undefined : readFileSync(file, "utf8"))));
