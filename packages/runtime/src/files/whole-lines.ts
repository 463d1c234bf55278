import { readSync } from "node:fs";

const NEWLINE = 0x0a;

/** Bytes that are read at once. */
const PIECE = 1_048_576;

/**
 * Calls back with each whole line of a file from its beginning, without its newline. Gives the place behind the last one, in
 * bytes: what follows is a line that is not finished. Holds a piece of the file and a line, however long the file is. Throws
 * what the file system says.
 */
export function readWholeLines(descriptor: number, onLine: (line: string) => void): number {
  const buffer = Buffer.allocUnsafe(PIECE);
  let beginning: Buffer[] = [];
  let end = 0;
  for (let place = 0; ; ) {
    const piece = buffer.subarray(0, readSync(descriptor, buffer, 0, PIECE, place));
    if (piece.length === 0) return end;
    let start = 0;
    for (let next = piece.indexOf(NEWLINE); next >= 0; next = piece.indexOf(NEWLINE, start)) {
      const rest = piece.subarray(start, next);
      onLine((beginning.length === 0 ? rest : Buffer.concat([...beginning, rest])).toString("utf8"));
      beginning = [];
      start = next + 1;
      end = place + start;
    }
    if (start < piece.length) beginning.push(Buffer.from(piece.subarray(start)));
    place += piece.length;
  }
}
