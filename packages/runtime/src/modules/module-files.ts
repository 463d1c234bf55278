import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What files hold: a hash each, by their absolute paths. */
export type FileHashes = ReadonlyMap<string, string>;

/** The files that this process has imported by now. */
export const importedFiles = (): ReadonlySet<string> => new Set(Object.keys(require.cache));

/** What came to the imported files since, without those of installed packages. */
export function importedSince(before: ReadonlySet<string>): FileHashes {
  const paths = [...importedFiles()].filter((path) => !before.has(path) && !isInstalled(path));
  return new Map(paths.map((path) => [path, hashOf(path)]));
}

/** Whether all files hold what they held. */
export const areUnchanged = (files: FileHashes): boolean => [...files].every(([path, hash]) => hashOf(path) === hash);

/**
 * Has files imported anew at their next import. Those below `folder` are among them, too: one that could not be parsed is
 * remembered as broken, and is on no list of imported files. Never throws.
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

/** Folders that hold no code of the agent. */
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

/** Nothing was imported from a folder that cannot be looked into. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
