import { readSync } from "node:fs";

const NEWLINE = 0x0a;
/** Bytes that are read at once; a longer line is not one of ours. */
const CHUNK = 65_536;

export interface FileRange {
  /** Bytes from the beginning of the file. */
  readonly from: number;
  readonly to: number;
}

/**
 * Calls back with each whole line of a range. Gives the place behind the last one: what follows is a line that is not
 * finished. Holds little, however long lines are; too long a line comes in pieces.
 */
export function readLines(descriptor: number, { from, to }: FileRange, onLine: (line: string) => void): number {
  let place = from;
  while (place < to) {
    const bytes = chunkAt(descriptor, place, to);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    for (const line of textLines(bytes, end)) onLine(line);
    if (end === 0 && bytes.length < CHUNK) break;
    place += end === 0 ? bytes.length : end;
  }
  return place;
}

/**
 * A place from which to read where only the end of a file matters: before the last lines, of which `isBefore` refuses
 * none, and after some that it accepts. Looks at a few lines alone, however long the file is.
 */
export function placeBefore(descriptor: number, size: number, isBefore: (line: string) => boolean): number {
  for (let back = CHUNK; back < size; back *= 2) {
    const bytes = chunkAt(descriptor, size - back, size);
    const start = bytes.indexOf(NEWLINE) + 1;
    const [first = ""] = textLines(bytes.subarray(start), bytes.lastIndexOf(NEWLINE) + 1 - start);
    if (isBefore(first)) return size - back + start;
  }
  return 0;
}

function chunkAt(descriptor: number, place: number, end: number): Buffer {
  const bytes = Buffer.alloc(Math.min(CHUNK, end - place));
  return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, place));
}

const textLines = (bytes: Buffer, end: number): readonly string[] =>
  end > 0 ? bytes.toString("utf8", 0, end - 1).split("\n") : [];
