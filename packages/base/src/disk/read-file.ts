import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats, statSync } from "node:fs";
import { attempt } from "../errors/attempt.ts";
import { errorCode } from "../errors/system-error.ts";
import { checkPaths } from "./check-paths.ts";

/** A path names a pipe, a device or the like, which might never end. */
class NoRegularFileError extends Error {
  override readonly name = "NoRegularFileError";

  constructor() {
    super("it is no regular file");
  }
}

/** So that opening a pipe does not wait for its other end. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Reads a file whole. Throws `NoRegularFileError`, or what the file system says. */
export const readWholeFile = (path: string): Buffer => readOpened(path, (descriptor) => readFileSync(descriptor));

/** Opens a file and returns what `read` returns. Throws as `readWholeFile` does, and what `read` throws. */
export const readOpened = <Result>(path: string, read: (descriptor: number, stats: Stats) => Result): Result =>
  withDescriptor(openSync(path, FLAGS), read);

/**
 * The same for a file that an agent itself keeps: a link is not followed. Throws `SymbolicLinkError`, `WrongKindError`, what the
 * file system says, and what `read` throws.
 */
export function readOwnFile<Result>(path: string, read: (descriptor: number, stats: Stats) => Result): Result {
  checkPaths({ files: [path] });
  return withDescriptor(openSync(path, FLAGS | constants.O_NOFOLLOW), read);
}

/**
 * The text of a small file that an agent itself keeps: undefined if it does not exist, empty if it is longer than `limit` bytes,
 * cannot be read, or something else has its name. Never throws.
 */
export function readSmallFile(path: string, limit: number): string | undefined {
  try {
    return readOwnFile(path, (descriptor, { size }) =>
      size > limit ? "" : readBytes(descriptor, 0, size).toString("utf8"),
    );
  } catch (error) {
    return errorCode(error) === "ENOENT" ? undefined : "";
  }
}

/**
 * The text of a file that others keep, through links: undefined if it is longer than `limit` bytes, cannot be read, or is no regular
 * file. Never throws, and never waits for the other end of a pipe.
 */
export const textUpTo = (path: string, limit: number): string | undefined =>
  attempt(() =>
    readOpened(path, (descriptor, { size }) =>
      size > limit ? undefined : readBytes(descriptor, 0, size).toString("utf8"),
    ),
  );

/** The bytes of an open file from an offset on, `length` of them at most. Throws what the file system says. */
export function readBytes(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let end = 0;
  for (let count = 1; end < length && count > 0; end += count) {
    count = readSync(descriptor, bytes, end, length - end, offset + end);
  }
  return bytes.subarray(0, end);
}

/** The bytes of a file from an offset on. Throws as `readWholeFile` does. */
export const readEnd = (path: string, offset: number): Buffer =>
  readOpened(path, (descriptor, { size }) => readBytes(descriptor, offset, Math.max(0, size - offset)));

/** The length of a file in bytes; 0 if there is none. Throws what the file system says. */
export function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats.size : 0;
}

function withDescriptor<Result>(descriptor: number, read: (descriptor: number, stats: Stats) => Result): Result {
  try {
    const stats = fstatSync(descriptor);
    // Reading a folder fails with the file system's own error.
    if (!stats.isFile() && !stats.isDirectory()) throw new NoRegularFileError();
    return read(descriptor, stats);
  } finally {
    closeSync(descriptor);
  }
}

const NEWLINE = 0x0a;

/** Bytes that are read at once. */
const PIECE = 1_048_576;

/** A part of a file, in bytes. */
export interface FileRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Calls back with each whole line of a file, or of a range that begins with a line, without its newline. Returns the offset behind
 * the last one: the rest is an unfinished line. Holds one piece of the file and one line in memory, however long the file is.
 * Throws what the file system says.
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

/** Bytes at the end of a file that are searched first. */
const REACH = 65_536;

/**
 * The offset of a line that is followed by all lines that `isOlder` refuses, for files whose lines are in order. Reads only a few
 * lines, however long the file is. Throws what the file system says.
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
