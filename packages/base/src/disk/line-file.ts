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
import { checkPaths } from "./read-file.ts";
import { syncFolder } from "./replace-file.ts";

/** Does not follow a link or block on a pipe. */
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const NEW = constants.O_CREAT | constants.O_EXCL;
const NEWLINE = 0x0a;

export interface LineFileOptions {
  /** The mode of a new file. Default: 0o600. */
  readonly mode?: number;
  /** The folders that `sync` syncs with a new file. Default: the file's folder. */
  readonly folders?: readonly string[];
  /** Checks the open file before anything is written; a throw refuses the file. */
  readonly check?: (descriptor: number, stats: Stats) => void;
}

/**
 * Opens a file of lines for appending, or creates it in an existing folder. If it ends in a torn line, as after a crash or on a
 * full disk, the next line starts on a new one. Throws `SymbolicLinkError`, `WrongKindError`, what `check` throws, or the file
 * system's error.
 */
export function openLineFile(path: string, options: LineFileOptions = {}): LineFile {
  checkPaths({ files: [path] });
  const { descriptor, isNew } = openOrMake(path, options.mode ?? 0o600);
  try {
    const stats = fstatSync(descriptor);
    options.check?.(descriptor, stats);
    const { folders = [dirname(path)] } = options;
    const { ino: inode, size } = stats;
    const isEndTorn = isTorn(descriptor, size);
    return new LineFile({ descriptor, inode, size, folders: isNew ? folders : [], isTorn: isEndTorn });
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

interface OpenFile {
  readonly descriptor: number;
  readonly inode: number;
  /** Bytes. */
  readonly size: number;
  /** To be synced with the first lines. */
  readonly folders: readonly string[];
  /** Whether the file ends in a torn line. */
  readonly isTorn: boolean;
}

/** An open file of lines. */
export class LineFile {
  readonly inode: number;
  readonly #descriptor: number;
  #size: number;
  #folders: readonly string[];
  /** The text before the next line. */
  #before: string;
  #isDirty = false;
  #isClosed = false;
  #isBroken = false;
  #isLost = false;
  #syncing: Promise<void> | undefined;

  constructor({ descriptor, inode, size, folders, isTorn }: OpenFile) {
    this.inode = inode;
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
   * Writes lines, which contain no newline, to the operating system in one piece: they survive the end of this process. If that
   * fails, none of them stays and the next append may succeed; if a part cannot be removed again, all later appends fail. Throws
   * the file system's error.
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
   * Resolves when every line appended so far, and the name of a new file, is on disk. Simultaneous calls share one sync. Rejects
   * with the file system's error; later appends then fail, since it is unknown which lines are on disk.
   */
  async sync(): Promise<void> {
    if (this.#syncing) await this.#syncing;
    if (!this.#isDirty && !this.#isLost) return;
    this.#syncing ??= this.#flush();
    await this.#syncing;
  }

  /** May be called twice. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const release = (): void => closeSync(this.#descriptor);
    // A running sync must not apply to another file that gets the same descriptor.
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

  /** Removes a torn line, unless another process has appended lines since: they would be removed, too. */
  #cutOff(written: number): boolean {
    const isCut = attempt(() => {
      if (fstatSync(this.#descriptor).size !== this.#size + written) return false;
      if (written > 0) ftruncateSync(this.#descriptor, this.#size);
      return true;
    });
    return isCut ?? false;
  }

  #checkUsable(): void {
    // The number of a closed descriptor may belong to another file.
    if (this.#isClosed) throw new Error("it is closed");
    // A line after a torn line would make both unreadable.
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
