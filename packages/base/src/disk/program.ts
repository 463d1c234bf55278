import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { attempt } from "../errors/attempt.ts";
import { foldersFrom } from "../paths/is-within.ts";
import { realPathOrSame } from "./real-path.ts";

/** Whether mdx-ai runs as an executable. If not, Bun runs its sources, or the bundle of the library. */
export const isCompiled: boolean = /^(\/\$bunfs\/|[A-Za-z]:[/\\]~BUN[/\\])/.test(import.meta.dir);

const isSource = import.meta.path.endsWith(".ts");

/** The folder with mdx-ai's code: the sources of all packages, the bundle, or a folder in the executable. Absolute. */
export const programFolder: string = isSource ? join(import.meta.dir, "../../..") : import.meta.dir;

/** The folder of the executable, or of mdx-ai's code. Absolute and real. */
export const installFolder = (): string => (isCompiled ? dirname(realPathOrSame(process.execPath)) : programFolder);

/**
 * The folders whose `node_modules` contain packages installed beside mdx-ai, nearest first: its folder and the folders above.
 * Skips `node_modules` of another user, since everyone may be able to write to a folder above.
 */
export const installFolders = (): readonly string[] =>
  foldersFrom(installFolder()).filter((folder) => belongsToUser(join(folder, "node_modules")));

/** The user's home folder as the system knows it; undefined for a user id without an account, as in containers. */
export const systemHome = (): string | undefined => attempt(() => homedir());

/** Whether a file or folder exists and belongs to this user or the superuser. */
export function belongsToUser(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (process.getuid === undefined || [0, process.getuid()].includes(stats.uid));
}

/** The files that a process of mdx-ai needs: its executable, and the code that Bun runs. Absolute. */
export const programPaths = (): readonly string[] =>
  isCompiled ? [process.execPath] : [process.execPath, isSource ? dirname(programFolder) : programFolder];
