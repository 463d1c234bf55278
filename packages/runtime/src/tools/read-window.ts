import { closeSync, read, readSync } from "node:fs";
import { FileToolError, fileError } from "./file-error.ts";
import { type LineRange, LineWindow } from "./line-window.ts";
import type { PermittedPlace } from "./permitted-place.ts";
import { openRegularFile } from "./regular-file.ts";

/** Bytes that are read at once. A file that fits in is read without leaving this thread, which is several times faster. */
const PIECE = 262_144;

/** Bytes of a file that are read in search of a range; a sparse file may pretend to have a thousand times as many. */
const SEARCH_LIMIT = 1024 ** 3;

/** A part of a file. */
export interface FileWindow {
  readonly bytes: Buffer;
  /** Whether the file goes on behind it. */
  readonly more: boolean;
  /** Given when the file ended before the range began: how many lines it has. */
  readonly linesBefore: number | undefined;
}

/** Reads a range of lines of a regular file, in memory that does not grow with the file. Rejects with `FileToolError`. */
export async function readWindow(place: PermittedPlace, range: LineRange, signal: AbortSignal): Promise<FileWindow> {
  const { descriptor, size } = openRegularFile(place);
  try {
    const window = new LineWindow(range);
    // One byte more than the size, so that the end shows at the first read.
    const piece = Buffer.allocUnsafe(Math.min(PIECE, size === 0 ? PIECE : size + 1));
    const filled = fillFirst(descriptor, piece);
    let more = window.add(piece.subarray(0, filled));
    if (!more && filled === piece.length) more = await addRest({ descriptor, window, piece, signal });
    return { bytes: window.bytes(), more, linesBefore: window.linesBefore() };
  } catch (error) {
    throw fileError(error, place.path);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads until the buffer is full or the file ends: the files of /proc give less than asked for. */
function fillFirst(descriptor: number, piece: Buffer): number {
  let filled = 0;
  while (filled < piece.length) {
    const count = readSync(descriptor, piece, filled, piece.length - filled, null);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

interface Rest {
  readonly descriptor: number;
  readonly window: LineWindow;
  readonly piece: Buffer;
  readonly signal: AbortSignal;
}

async function addRest({ descriptor, window, piece: first, signal }: Rest): Promise<boolean> {
  const piece = first.length === PIECE ? first : Buffer.allocUnsafe(PIECE);
  for (let searched = 0; ; searched += piece.length) {
    if (searched > SEARCH_LIMIT)
      throw new FileToolError("the lines are too far behind: use the bash tool, such as sed");
    if (signal.aborted) throw new FileToolError("reading was aborted");
    const bytesRead = await readPiece(descriptor, piece);
    if (bytesRead === 0) return false;
    if (window.add(piece.subarray(0, bytesRead))) return true;
  }
}

const readPiece = (descriptor: number, piece: Buffer): Promise<number> =>
  new Promise((resolve, reject) =>
    read(descriptor, piece, 0, piece.length, null, (error, bytesRead) => (error ? reject(error) : resolve(bytesRead))),
  );
