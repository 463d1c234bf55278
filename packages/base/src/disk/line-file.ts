import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  type Stats,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { attempt } from "../errors/attempt.ts";
import { errorCode } from "../errors/system-error.ts";
import { checkPaths, makePrivateFolder } from "./read-file.ts";
import { syncFolder } from "./replace-file.ts";

/** Does not follow a link, nor wait for the other end of a pipe. */
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const NEW = constants.O_CREAT | constants.O_EXCL;
const NEWLINE = 0x0a;

export interface LineFileOptions {
  /** The mode of a new file; 0o600 if absent. */
  readonly mode?: number;
  /** The folders that `sync` syncs with a new file; the file's own if absent. */
  readonly folders?: readonly string[];
  /** Checks the open file before anything is written; a throw refuses the file. */
  readonly check?: (descriptor: number, stats: Stats) => void;
}

/**
 * Opens a file of lines to append to, or creates it in an existing folder. If it ends in half a line, as a crash or a full
 * disk leaves it, the next line starts on a new one. Throws `SymbolicLinkError`, `WrongKindError`, what `check` throws, or what
 * the file system says.
 */
export function openLineFile(path: string, options: LineFileOptions = {}): LineFile {
  checkPaths({ files: [path] });
  const { descriptor, isNew } = openOrMake(path, options.mode ?? 0o600);
  try {
    const stats = fstatSync(descriptor);
    options.check?.(descriptor, stats);
    const { folders = [dirname(path)] } = options;
    const { size } = stats;
    return new LineFile({ descriptor, size, folders: isNew ? folders : [], isTorn: isTorn(descriptor, size) });
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/**
 * Appends lines to a file that is its owner's alone, in one piece, so that those of several processes do not mix. Makes the file
 * and its folder if they are missing. The lines survive the end of this process, and reach the disk when the system writes them.
 * Throws as `openLineFile` does.
 */
export function appendLines(path: string, lines: readonly string[]): void {
  makePrivateFolder(dirname(path));
  const file = openLineFile(path);
  try {
    file.append(...lines);
  } finally {
    file.close();
  }
}

interface OpenFile {
  readonly descriptor: number;
  /** Bytes. */
  readonly size: number;
  /** To be synced with the first lines. */
  readonly folders: readonly string[];
  /** Whether the file ends in half a line. */
  readonly isTorn: boolean;
}

/** An open file of lines. Its only permanent writer is the one that keeps it open; others open it for one append each. */
export class LineFile {
  readonly #descriptor: number;
  #size: number;
  #folders: readonly string[];
  /** What comes before the next line. */
  #before: string;
  #isDirty = false;
  #isClosed = false;
  #isBroken = false;
  #isLost = false;
  #syncing: Promise<void> | undefined;

  constructor({ descriptor, size, folders, isTorn }: OpenFile) {
    this.#descriptor = descriptor;
    this.#size = size;
    this.#folders = folders;
    this.#before = isTorn ? "\n" : "";
  }

  /** Bytes. */
  get size(): number {
    return this.#size;
  }

  /**
   * Hands lines, which contain no newline, to the operating system in one piece: they survive the end of this process. If that fails none of them stays,
   * and the next append may succeed; if a part of them cannot be removed again, every later append fails. Throws what the
   * file system says.
   */
  append(...lines: readonly string[]): void {
    if (lines.length === 0) return;
    const text = lines.map((line) => `${line}\n`).join("");
    this.#checkUsable();
    this.#write(Buffer.from(this.#before + text));
    this.#before = "";
    this.#isDirty = true;
  }

  /**
   * Resolves when every line appended so far is on disk, and the name of a new file too. Simultaneous calls share one sync.
   * Rejects with what the file system says; lines cannot be appended after that, since nobody knows which ones are on disk.
   */
  async sync(): Promise<void> {
    if (this.#syncing) await this.#syncing;
    if (!this.#isDirty) return;
    this.#syncing ??= this.#flush();
    await this.#syncing;
  }

  /** May be called twice. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const release = (): void => closeSync(this.#descriptor);
    // A running sync must not reach another file that gets the same descriptor.
    if (this.#syncing) void this.#syncing.then(release, release);
    else release();
  }

  #write(bytes: Buffer): void {
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
      this.#size += bytes.length;
    } catch (error) {
      this.#isBroken = !this.#cutOff(written);
      throw error;
    }
  }

  /** Removes half a line again, unless another process has written meanwhile: its lines would be removed too. */
  #cutOff(written: number): boolean {
    const isCut = attempt(() => {
      if (fstatSync(this.#descriptor).size !== this.#size + written) return false;
      if (written > 0) ftruncateSync(this.#descriptor, this.#size);
      return true;
    });
    return isCut ?? false;
  }

  #checkUsable(): void {
    // The number of a closed descriptor may mean another file now.
    if (this.#isClosed) throw new Error("it is closed");
    // A line after half a line would make both unreadable.
    if (this.#isBroken) throw new Error("an earlier line was not written whole");
    // A disk that failed once may report success the next time, although the earlier lines are lost.
    if (this.#isLost) throw new Error("earlier lines did not reach the disk");
  }

  async #flush(): Promise<void> {
    this.#isDirty = false;
    try {
      this.#checkUsable();
      await Promise.all([this.#syncData(), ...this.#folders.map(syncFolder)]);
      this.#folders = [];
    } finally {
      this.#syncing = undefined;
    }
  }

  async #syncData(): Promise<void> {
    try {
      await dataSync(this.#descriptor);
    } catch (error) {
      this.#isLost = true;
      throw error;
    }
  }
}

/** Another process may make or remove the file meanwhile. */
function openOrMake(path: string, mode: number): { readonly descriptor: number; readonly isNew: boolean } {
  for (;;) {
    try {
      return { descriptor: openSync(path, FLAGS), isNew: false };
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
    }
    try {
      return { descriptor: openSync(path, FLAGS | NEW, mode), isNew: true };
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}

function isTorn(descriptor: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
}

const dataSync = (descriptor: number): Promise<void> =>
  new Promise((resolve, reject) => fdatasync(descriptor, (error) => (error ? reject(error) : resolve())));
