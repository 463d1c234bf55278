import { chmodSync, lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";

/** What others than the owner may do. */
const OTHERS = 0o077;

/** Whether others than its owner can read or write a file or folder. */
export const isOpenToOthers = ({ mode }: Stats): boolean => (mode & OTHERS) !== 0;

/** The files and folders, of this one and all within, that others than their owner can read or write. Throws what the file system says. */
export function openToOthers(path: string): readonly string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // The mode of a link says nothing.
  if (stats === undefined || stats.isSymbolicLink()) return [];
  const within = stats.isDirectory() ? readdirSync(path).flatMap((name) => openToOthers(join(path, name))) : [];
  return isOpenToOthers(stats) ? [path, ...within] : within;
}

/** Takes from others what they may do. Throws what the file system says. */
export function closeToOthers(paths: readonly string[]): void {
  for (const path of paths) chmodSync(path, lstatSync(path).mode & 0o700);
}
