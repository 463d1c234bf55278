import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Hashes of files by their absolute paths, for as long as this process runs. */
export type FileHashes = ReadonlyMap<string, string>;

/** The files that this process has imported so far. */
export const importedFiles = (): ReadonlySet<string> => new Set(Object.keys(require.cache));

/** The files imported since, without those of installed packages. */
export function importedSince(before: ReadonlySet<string>): FileHashes {
  const paths = [...importedFiles()].filter((path) => !before.has(path) && !isInstalled(path));
  return new Map(paths.map((path) => [path, hashOf(path)]));
}

/** Whether no file has changed. */
export const areUnchanged = (files: FileHashes): boolean => [...files].every(([path, hash]) => hashOf(path) === hash);

/**
 * Makes the next import read these files again, and all code below `folder`: a file that could not be parsed is cached as
 * broken without being among the imported files. Never throws.
 */
export function forgetImports(files: FileHashes, folder: string): void {
  for (const path of [...files.keys(), ...codeFiles(folder)]) delete require.cache[path];
}

const isInstalled = (path: string): boolean => /[\\/]node_modules[\\/]/.test(path);

function hashOf(path: string): string {
  try {
    return Bun.hash(readFileSync(path)).toString(36);
  } catch {
    return "";
  }
}

/** Folders without code of the agent. */
const OTHER_FOLDERS: readonly string[] = ["node_modules", "sessions", "state", "logs"];

function codeFiles(folder: string): readonly string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return entry.name.startsWith(".") || OTHER_FOLDERS.includes(entry.name) ? [] : codeFiles(path);
    }
    return /\.([cm]?[jt]sx?|json)$/.test(entry.name) ? [path] : [];
  });
}

/** Empty for a folder that cannot be read, from which nothing was imported. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
