import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { attempt } from "../errors/attempt.ts";
import { type LineFile, openLineFile } from "./line-file.ts";
import { makePrivateFolder } from "./read-file.ts";

/** How many files stay open: enough for the logs of the sessions that a server runs at once, and few beside the thousands that systems allow. */
const MAX_OPEN = 512;

/** The files of the latest appends, by path: most of them get more lines soon. */
const open = new Map<string, LineFile>();

/**
 * Appends lines to a private file in one piece, so that lines of several processes do not mix. Creates the file and its folder if
 * they are missing. The lines survive the end of this process, and reach the disk when the system writes them. Throws as
 * `openLineFile` does.
 */
export function appendLines(path: string, lines: readonly string[]): void {
  const file = takeOpen(path) ?? openFile(path);
  try {
    file.append(...lines);
  } catch (error) {
    file.close();
    throw error;
  }
  open.set(path, file);
  const [oldest] = open;
  if (open.size <= MAX_OPEN || oldest === undefined) return;
  open.delete(oldest[0]);
  oldest[1].close();
}

/** The open file, which is then no longer kept, unless another file is at its path now, or another process has appended lines. */
function takeOpen(path: string): LineFile | undefined {
  const file = open.get(path);
  open.delete(path);
  const stats = file && attempt(() => lstatSync(path));
  if (stats && stats.ino === file.inode && stats.size === file.size) return file;
  file?.close();
  return undefined;
}

function openFile(path: string): LineFile {
  makePrivateFolder(dirname(path));
  return openLineFile(path);
}
