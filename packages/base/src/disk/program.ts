import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { foldersFrom } from "../paths/is-within.ts";
import { realPathOrSame } from "./real-path.ts";

/** Whether this program is an executable. If not, Bun runs it: its sources, or the bundle of the library. */
export const isCompiled: boolean = /^(\/\$bunfs\/|[A-Za-z]:[/\\]~BUN[/\\])/.test(import.meta.dir);

const isSource = import.meta.path.endsWith(".ts");

/** The folder with this program's code: the sources of all packages, the bundle, or a folder in the executable. Absolute. */
export const programFolder: string = isSource ? join(import.meta.dir, "../../..") : import.meta.dir;

/** The folder of the executable, or of this program's code. Absolute and real. */
export const installFolder = (): string => (isCompiled ? dirname(realPathOrSame(process.execPath)) : programFolder);

/**
 * The folders whose `node_modules` contain what is installed beside this program, the nearest first: its own folder and those above.
 * A `node_modules` of another user does not count, since a folder above may be writable by everybody.
 */
export const installFolders = (): readonly string[] =>
  foldersFrom(installFolder()).filter((folder) => belongsToUser(join(folder, "node_modules")));

/** Whether a file or folder exists and belongs to this user or the superuser. */
export function belongsToUser(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (process.getuid === undefined || [0, process.getuid()].includes(stats.uid));
}

/** The files that a process of this program must see: its executable, and the code that Bun runs. Absolute. */
export const programPaths = (): readonly string[] =>
  isCompiled ? [process.execPath] : [process.execPath, isSource ? dirname(programFolder) : programFolder];
