import { readSync } from "node:fs";
import { readBytes } from "./read-file.ts";

const NEWLINE = 0x0a;

/** How many bytes are read at once. */
const PIECE = 1_048_576;

/** A part of a file, in bytes. */
export interface FileRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Calls back with each complete line of a file, or of a range that begins with a line, without its newline. Returns the offset
 * after the last one; the rest is an unfinished line. Keeps only one chunk and one line in memory. Throws the file system's
 * error.
 */
export function readLines(
  descriptor: number,
  onLine: (line: string) => void,
  { from, to }: FileRange = { from: 0, to: Number.POSITIVE_INFINITY },
): number {
  const buffer = Buffer.allocUnsafe(Math.min(PIECE, Math.max(0, to - from)));
  let beginning: Buffer[] = [];
  let end = from;
  for (let offset = from; offset < to; ) {
    const wanted = Math.min(buffer.length, to - offset);
    const piece = buffer.subarray(0, readSync(descriptor, buffer, 0, wanted, offset));
    if (piece.length === 0) break;
    let start = 0;
    for (let next = piece.indexOf(NEWLINE); next >= 0; next = piece.indexOf(NEWLINE, start)) {
      const rest = piece.subarray(start, next);
      onLine((beginning.length === 0 ? rest : Buffer.concat([...beginning, rest])).toString("utf8"));
      beginning = [];
      start = next + 1;
      end = offset + start;
    }
    if (start < piece.length) beginning.push(Buffer.from(piece.subarray(start)));
    offset += piece.length;
  }
  return end;
}

/** How many bytes at the end of a file are searched first. */
const REACH = 65_536;

/**
 * The offset of a line that is followed by all lines that `isOlder` refuses, in a file whose lines are in order. Reads only a few
 * lines. Throws the file system's error.
 */
export function offsetOfRecent(descriptor: number, size: number, isOlder: (line: string) => boolean): number {
  for (let reach = REACH; reach < size; reach *= 2) {
    const offset = size - reach;
    const found = readBytes(descriptor, offset, REACH);
    const start = found.indexOf(NEWLINE) + 1;
    const end = found.indexOf(NEWLINE, start);
    if (end > start && isOlder(found.toString("utf8", start, end))) return offset + start;
  }
  return 0;
}
