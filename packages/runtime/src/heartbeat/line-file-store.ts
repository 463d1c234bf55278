import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { dataLayout, ifExists } from "@mdx-ai/base";
import { appendLines, makePrivateFolder, readLines, replaceFileSync, sizeOf } from "@mdx-ai/base/disk";
import { lockHolder, processText, tryLock, withLock } from "@mdx-ai/base/locks";
import { compacted } from "./compact-lines.ts";
import { type HeartbeatLine, readHeartbeatLine } from "./heartbeat-record.ts";
import type { LineStore, WakeLease } from "./heartbeat-scheduler.ts";

/** The size from which the file is compacted, in bytes, and how many lines are then kept as they are. */
const MAX_SIZE = 4_000_000;
const KEPT = 5_000;

export interface LineFileLimits {
  readonly maxSize?: number;
  readonly kept?: number;
}

/** The lines of `state/heartbeat.jsonl`, which other processes may append to. Damaged lines are left out. */
export class LineFileStore implements LineStore {
  readonly #path: string;
  readonly #maxSize: number;
  readonly #kept: number;
  /** Bytes that have been read of the file with this number. */
  #offset = 0;
  #inode: number | undefined;
  /** The texts of this process's lines that have not been read back. */
  readonly #written = new Set<string>();

  constructor(dataDirectory: string, { maxSize = MAX_SIZE, kept = KEPT }: LineFileLimits = {}) {
    this.#path = dataLayout(dataDirectory).heartbeatRecord;
    this.#maxSize = maxSize;
    this.#kept = kept;
  }

  append(lines: readonly HeartbeatLine[]): void {
    const texts = lines.map((line) => JSON.stringify(line));
    appendLines(this.#path, texts);
    for (const text of texts) this.#written.add(text);
  }

  /** Appends lines while another process may compact the file. Rejects if they cannot be written. */
  async appendBeside(lines: readonly HeartbeatLine[]): Promise<void> {
    makePrivateFolder(dirname(this.#path));
    await withLock(this.#lock, () => this.append(lines));
  }

  take(isAnew = false): readonly HeartbeatLine[] {
    if (isAnew) this.#forget();
    const lines: HeartbeatLine[] = [];
    const descriptor = ifExists(() => openSync(this.#path, constants.O_RDONLY | constants.O_NOFOLLOW));
    if (descriptor === undefined) return lines;
    try {
      const { size, ino } = fstatSync(descriptor);
      if (size < this.#offset || ino !== this.#inode) this.#offset = 0;
      this.#inode = ino;
      if (size === this.#offset) return lines;
      const add = (text: string): void => {
        const line = this.#written.delete(text) ? undefined : readHeartbeatLine(text);
        if (line !== undefined) lines.push(line);
      };
      this.#offset = readLines(descriptor, add, { from: this.#offset, to: size });
      return lines;
    } finally {
      closeSync(descriptor);
    }
  }

  compact(): void {
    if (sizeOf(this.#path) <= this.#maxSize) return;
    // A process that appends now is done before the next look.
    const lock = tryLock(this.#lock);
    if (lock === undefined) return;
    try {
      const lines = compacted(this.take(true), this.#kept);
      replaceFileSync({ path: this.#path, text: lines.map((line) => `${JSON.stringify(line)}\n`) });
      this.take(true);
    } finally {
      lock.release();
    }
  }

  #forget(): void {
    this.#offset = 0;
    this.#written.clear();
  }

  get #lock(): string {
    return `${this.#path}.lock`;
  }
}

/** Keeps nothing on disk. */
export const memoryStore = (): LineStore => ({ append: () => {}, take: () => [], compact: () => {} });

/** The lease of an agent that no other process can wake. */
export const freeLease = (): WakeLease => ({ isHeld: () => true, release: () => {} });

/** The process that wakes the agent of a data directory, as text; undefined if none does. Throws the file system's error. */
export function heartbeatHolder(dataDirectory: string): string | undefined {
  const holder = lockHolder(dataLayout(dataDirectory).heartbeatLock);
  return holder && processText(holder);
}

/**
 * Takes the right to wake the agent of a data directory, also from a dead process; undefined while another process has it. Throws the
 * file system's error.
 */
export function takeLease(dataDirectory: string): WakeLease | undefined {
  const path = dataLayout(dataDirectory).heartbeatLock;
  makePrivateFolder(dirname(path));
  return tryLock(path);
}
