import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";
import { attempt } from "../errors/attempt.ts";
import type { Environment } from "../paths/environment.ts";
import { foldersFrom, isWithin } from "../paths/is-within.ts";
import { realPathOrSame } from "./real-path.ts";

export interface ProgramSearch {
  /** The user's environment variables. */
  readonly environment: Environment;
  /** Folders whose programs are not trusted, such as the agent directory. Absolute. */
  readonly outside: readonly string[];
  /** Where the user works, besides the current folder: a program in it must belong to the system. Absolute. */
  readonly cwd?: string | undefined;
}

/** A program on PATH that is not used. */
export interface UnusedProgram {
  readonly path: string;
  /** The excluded folder that it is in or leads into. */
  readonly folder: string;
}

const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/** Folders whose programs belong to the system, for a user who can write anywhere. */
const SYSTEM_FOLDERS = ["/usr", "/bin", "/sbin"] as const;

const WRITABLE_BY_OTHERS = 0o022;

/**
 * The path of a program that mdx-ai starts: the first on an absolute entry of PATH that is not in, and does not lead through
 * links into, one of the excluded folders. In the current folder it must belong to the system. Undefined if there is none. Never
 * throws.
 */
export const findProgram = (name: string, search: ProgramSearch): string | undefined =>
  programs(name, search).find(({ folder }) => folder === undefined)?.path;

/** The first program that `findProgram` skips; undefined if there is none. Never throws. */
export function findUnused(name: string, search: ProgramSearch): UnusedProgram | undefined {
  for (const { path, folder } of programs(name, search)) if (folder !== undefined) return { path, folder };
  return undefined;
}

interface FoundProgram {
  readonly path: string;
  /** The folder for which it is not used. */
  readonly folder: string | undefined;
}

/** The candidates on PATH, looked up lazily. */
function* programs(name: string, search: ProgramSearch): Generator<FoundProgram, void, undefined> {
  const unused = unusedFolders(search);
  for (const entry of (search.environment["PATH"] ?? DEFAULT_PATH).split(delimiter).filter(isAbsolute)) {
    const path = Bun.which(name, { PATH: entry }) ?? undefined;
    if (path === undefined) continue;
    const real = [realPathOrSame(entry), realPathOrSame(path)];
    yield { path, folder: folderAround(real, unused) };
  }
}

/** A folder whose programs are not used. */
interface UnusedFolder {
  readonly folder: string;
  readonly real: string;
  /** Whether the system's programs in it are used. */
  readonly allowsSystem: boolean;
}

function unusedFolders({ outside, cwd }: ProgramSearch): readonly UnusedFolder[] {
  const current = [attempt(() => process.cwd()), cwd].filter((folder) => folder !== undefined);
  const folders = [...outside, ...current];
  const all = folders.map(realPathOrSame).map((real, index) => {
    return { folder: folders[index] ?? real, real, allowsSystem: index >= outside.length };
  });
  // Everything is inside the whole file system.
  return all.filter(({ real }) => real !== "/");
}

/** The first folder that contains one of these real paths. */
function folderAround(paths: readonly string[], folders: readonly UnusedFolder[]): string | undefined {
  for (const path of paths) {
    const isSystem = isOfSystem(path);
    const found = folders.find(({ real, allowsSystem }) => !(allowsSystem && isSystem) && isWithin(real, path));
    if (found !== undefined) return found.folder;
  }
  return undefined;
}

/** Whether only root can change the file at a real path, and each folder above it. */
function isOfSystem(path: string): boolean {
  const user = process.getuid?.();
  if (user === 0 && !SYSTEM_FOLDERS.some((folder) => isWithin(folder, path))) return false;
  return user !== undefined && foldersFrom(path).every((each) => isRootAlone(each, user));
}

function isRootAlone(path: string, user: number): boolean {
  const stats = attempt(() => statSync(path));
  if (stats?.uid !== 0) return false;
  // Root can write everything.
  return user === 0 ? (stats.mode & WRITABLE_BY_OTHERS) === 0 : !isWritable(path);
}

const isWritable = (path: string): boolean =>
  attempt(() => {
    accessSync(path, constants.W_OK);
    return true;
  }) ?? false;
