import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync, type Stats, writeSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../files/error-code.ts";

/** What stands where the ledger should be is a link, a pipe, a folder or the like. */
class NoLedgerFileError extends Error {
  override readonly name = "NoLedgerFileError";

  constructor() {
    super("it is no regular file");
  }
}

const CAREFUL = constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const APPENDING = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
const NEWLINE = 0x0a;

/** Works on the open file, which is never waited for. Throws `NoLedgerFileError`, or what the file system says. */
export function readLedgerFile(path: string, read: (descriptor: number, stats: Stats) => void): void {
  withFile(path, constants.O_RDONLY, read);
}

/**
 * Hands a line to the operating system, in one piece, so that those of several processes do not mix. Where that fails, makes
 * the file's folder and tries once more; then throws. Folders above are never made, so that a removed agent directory stays removed.
 */
export function appendLedgerLine(path: string, line: string): void {
  try {
    append(path, line);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    makeFolder(dirname(path));
    append(path, line);
  }
}

const append = (path: string, line: string): void =>
  withFile(path, APPENDING, (descriptor, { size }) => {
    // Half a line, as a crash or a full disk leaves it, must not spoil the next one; a blank line does no harm.
    const bytes = Buffer.from(`${endsWithin(descriptor, size) ? "\n" : ""}${line}\n`);
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
  });

/** Another process may be faster. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

function endsWithin(descriptor: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
}

function withFile(path: string, flags: number, work: (descriptor: number, stats: Stats) => void): void {
  const descriptor = open(path, flags);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new NoLedgerFileError();
    work(descriptor, stats);
  } finally {
    closeSync(descriptor);
  }
}

/** Readable by its owner alone where it is made. */
function open(path: string, flags: number): number {
  try {
    return openSync(path, flags | CAREFUL, 0o600);
  } catch (error) {
    if (["ELOOP", "EISDIR", "ENXIO"].includes(errorCode(error) ?? "")) throw new NoLedgerFileError();
    throw error;
  }
}
