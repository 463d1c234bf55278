import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Takes the permission to write from a folder and everything in it. Throws the file system's error. */
export const makeReadOnly = (folder: string): void => changeModes(folder, (mode) => mode & ~0o222);

/** Removes a folder, which may be read-only, if it exists. Throws the file system's error. */
export function removeTree(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return;
  makeWritable(folder);
  rmSync(folder, { recursive: true, force: true });
}

/** Gives its owner the permission to change a folder and those in it. */
export const makeWritable = (folder: string): void => changeModes(folder, (mode, isFolder) => (isFolder ? mode | 0o700 : mode)); // biome-ignore format: short

/** Links are left alone: they have no mode of their own. */
function changeModes(path: string, change: (mode: number, isFolder: boolean) => number): void {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return;
  const isFolder = stats.isDirectory();
  const mode = change(stats.mode & 0o7777, isFolder);
  const isOpening = (mode & 0o200) !== 0;
  if (isFolder && isOpening && mode !== (stats.mode & 0o7777)) chmodSync(path, mode);
  if (isFolder) for (const name of readdirSync(path)) changeModes(join(path, name), change);
  if (mode !== (lstatSync(path).mode & 0o7777)) chmodSync(path, mode);
}
