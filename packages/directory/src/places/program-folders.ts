import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isCompiled } from "./tool-host-command.ts";
import { realFolder } from "./user-directories.ts";

/** The folder of this program: of its executable, or of its source. Absolute. */
export const programFolder = (): string =>
  isCompiled(Bun.main) ? dirname(realFolder(process.execPath)) : dirname(Bun.main);

/**
 * The folders whose `node_modules` hold what is installed beside this program, the nearest first: its own and those above.
 * A `node_modules` of another user does not count, since a folder above may be writable by everybody.
 */
export const programFolders = (): readonly string[] =>
  foldersFrom(programFolder()).filter((folder) => belongsToUser(join(folder, "node_modules")));

const foldersFrom = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersFrom(dirname(folder))];

/** Whether a file or folder exists and belongs to this user or the superuser. */
export function belongsToUser(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (process.getuid === undefined || [0, process.getuid()].includes(stats.uid));
}
