import { closeSync, constants, fstatSync, openSync, read, readdirSync, readSync, type Stats, statSync } from "node:fs";
import { errorCode } from "@mdx-ai/base";
import { descriptorPath } from "@mdx-ai/base/disk";
import { pathText } from "@mdx-ai/loop";
import { checkOpened, FileToolError, fileError, HAS_DESCRIPTOR_PATHS, type PermittedFile } from "@mdx-ai/permissions";

/** The most bytes that are read at once. A smaller file is read synchronously, which is several times faster. */
const PIECE = 262_144;

/** The most bytes that are read to find a range; a sparse file may claim a thousand times as many. */
const SEARCH_LIMIT = 1024 ** 3;

/** The most names of a directory that an error lists. */
const LISTED = 50;

/** A part of a file. */
export interface FileWindow {
  readonly bytes: Buffer;
  /** Whether the file continues after it. */
  readonly more: boolean;
  /** The number of lines, if the file ended before the range. */
  readonly linesBefore: number | undefined;
}

interface WindowReading {
  readonly signal: AbortSignal;
  /** Called with the open file. */
  readonly onRead?: (descriptor: number, window: FileWindow) => void;
}

/**
 * Reads a range of lines of the permitted regular file in constant memory; never blocks on a pipe. Rejects with `FileToolError`,
 * which names the kind of file at the path.
 */
export async function readWindow(
  file: PermittedFile,
  range: LineRange,
  { signal, onRead }: WindowReading,
): Promise<FileWindow> {
  const descriptor = openWithoutWaiting(file.path);
  try {
    checkOpened(descriptor, file);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new FileToolError(kindText(file, stats, descriptor));
    const window = new LineWindow(range);
    const piece = Buffer.allocUnsafe(pieceFor(stats));
    const filled = fill(descriptor, piece);
    let more = window.add(piece.subarray(0, filled));
    let isOver = filled < piece.length;
    for (let searched = 0; !more && !isOver; searched += piece.length) {
      if (searched > SEARCH_LIMIT)
        throw new FileToolError("the lines are too far into the file: use the bash tool, such as sed");
      if (signal.aborted) throw new FileToolError("reading was aborted");
      const count = await readPiece(descriptor, piece);
      isOver = count === 0;
      more = !isOver && window.add(piece.subarray(0, count));
    }
    const found = { bytes: window.bytes(), more, linesBefore: window.linesBefore() };
    onRead?.(descriptor, found);
    return found;
  } catch (error) {
    throw fileError(error, file.path);
  } finally {
    closeSync(descriptor);
  }
}

/** The range of lines of a text that is in memory. */
export function windowOf(bytes: Buffer, range: LineRange): FileWindow {
  const window = new LineWindow(range);
  const more = window.add(bytes);
  return { bytes: window.bytes(), more, linesBefore: window.linesBefore() };
}

/** One byte more than the size of the file, to detect its end. Files of /proc claim to be empty. */
const pieceFor = ({ size }: Stats): number => (size > 0 ? Math.min(size + 1, PIECE) : PIECE);

/** Reads until the buffer is full or the file ends: files of /proc return less than requested. */
function fill(descriptor: number, piece: Buffer): number {
  let filled = 0;
  while (filled < piece.length) {
    const count = readSync(descriptor, piece, filled, piece.length - filled, null);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/** Opens the permitted file or folder and returns the result of `read`; never blocks on a pipe. Throws `FileToolError`. */
export function withPermitted<Result>(file: PermittedFile, read: (descriptor: number, stats: Stats) => Result): Result {
  const descriptor = openWithoutWaiting(file.path);
  try {
    checkOpened(descriptor, file);
    return read(descriptor, fstatSync(descriptor));
  } catch (error) {
    throw fileError(error, file.path);
  } finally {
    closeSync(descriptor);
  }
}

function openWithoutWaiting(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    // A socket, or a device without a driver.
    if (errorCode(error) === "ENXIO") throw new FileToolError(kindText({ path }, statSync(path)));
    throw fileError(error, path);
  }
}

/** Describes the file at a path that is not a regular file; without a descriptor if it was not opened. */
function kindText({ path, permitted }: PermittedFile, stats: Stats, descriptor?: number): string {
  const name = JSON.stringify(path);
  if (stats.isFIFO()) return `${name} is a named pipe, not a regular file`;
  if (stats.isSocket()) return `${name} is a socket, not a regular file`;
  if (!stats.isDirectory()) return `${name} is a device, not a regular file`;
  // A permitted directory is listed through its descriptor if possible: its name may belong to another one now.
  const isHeld = permitted !== undefined && descriptor !== undefined && HAS_DESCRIPTOR_PATHS;
  return `${name} is a directory, not a file. ${directoryText(isHeld ? descriptorPath(descriptor) : path)}`;
}

function directoryText(path: string): string {
  const names = readdirSync(path, { withFileTypes: true })
    .map((entry) => `${pathText(entry.name)}${entry.isDirectory() ? "/" : ""}`)
    .sort();
  if (names.length === 0) return "It is empty.";
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : "";
  return `It contains: ${names.slice(0, LISTED).join(", ")}${more}. Read one of its files, or list it.`;
}

const readPiece = (descriptor: number, piece: Buffer): Promise<number> =>
  new Promise((resolve, reject) =>
    read(descriptor, piece, 0, piece.length, null, (error, bytesRead) => (error ? reject(error) : resolve(bytesRead))),
  );

const NEWLINE = 10;

/** The requested lines of a file. */
interface LineRange {
  /** Number of the first line; lines start at 1. */
  readonly first: number;
  /** The most lines. */
  readonly count: number;
  /** The most bytes. */
  readonly bytes: number;
}

/** Collects the lines of a range from a file that arrives in chunks; keeps only that range in memory. */
class LineWindow {
  readonly #range: LineRange;
  readonly #pieces: Buffer[] = [];
  #toSkip: number;
  #linesLeft: number;
  #bytesLeft: number;
  #insideLine = false;

  constructor(range: LineRange) {
    this.#range = range;
    this.#toSkip = range.first - 1;
    this.#linesLeft = range.count;
    this.#bytesLeft = range.bytes;
  }

  /** Takes the needed part of the next chunk; returns whether the chunk extends beyond the range. */
  add(piece: Buffer): boolean {
    let start = 0;
    while (this.#toSkip > 0) {
      const newline = piece.indexOf(NEWLINE, start);
      if (newline === -1) {
        this.#insideLine = start < piece.length;
        return false;
      }
      this.#toSkip -= 1;
      start = newline + 1;
    }
    const end = this.#endOfRange(piece, start);
    if (end > start) {
      // A copy, since the reader reuses its buffer.
      this.#pieces.push(Buffer.from(piece.subarray(start, end)));
      this.#bytesLeft -= end - start;
    }
    return end < piece.length;
  }

  /** The bytes of the range. */
  bytes(): Buffer {
    const [only] = this.#pieces;
    return this.#pieces.length === 1 && only ? only : Buffer.concat(this.#pieces);
  }

  /** The number of lines, if the file ended before the range; otherwise undefined. */
  linesBefore(): number | undefined {
    if (this.#pieces.length > 0) return undefined;
    return this.#range.first - 1 - this.#toSkip + (this.#insideLine ? 1 : 0);
  }

  #endOfRange(piece: Buffer, start: number): number {
    const limit = Math.min(piece.length, start + this.#bytesLeft);
    let end = start;
    while (this.#linesLeft > 0 && end < limit) {
      const newline = piece.indexOf(NEWLINE, end);
      if (newline === -1 || newline >= limit) return limit;
      this.#linesLeft -= 1;
      end = newline + 1;
    }
    return end;
  }
}

/** A kind of file that is not shown as text. */
export type Media = "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "application/pdf";

/** The first bytes of files of a kind; null matches any byte. */
const BEGINNINGS: readonly (readonly [Media, readonly (number | null)[]])[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
  ["image/webp", [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]],
  ["application/pdf", [0x25, 0x50, 0x44, 0x46, 0x2d]],
];

/** The kind of a file by its first bytes, ignoring its name; undefined for all others. */
export const mediaOf = (bytes: Uint8Array): Media | undefined =>
  BEGINNINGS.find(([, beginning]) => beginning.every((byte, index) => byte === null || byte === bytes[index]))?.[0];
