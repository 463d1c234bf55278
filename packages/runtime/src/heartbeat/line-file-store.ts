import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { dataLayout, ifExists } from "@mdx-ai/base";
import { appendLines, makePrivateFolder, readLines } from "@mdx-ai/base/disk";
import { lockHolder, processText, tryLock } from "@mdx-ai/base/locks";
import { type HeartbeatLine, readHeartbeatLine } from "./heartbeat-record.ts";
import type { LineStore, WakeLease } from "./heartbeat-scheduler.ts";

/** The lines of `state/heartbeat.jsonl`, which other processes may append to. Damaged lines are left out. */
export class LineFileStore implements LineStore {
  readonly #path: string;
  /** Bytes that have been read. */
  #offset = 0;
  /** The texts of this process's lines that have not been read back. */
  readonly #written = new Set<string>();

  constructor(dataDirectory: string) {
    this.#path = dataLayout(dataDirectory).heartbeatRecord;
  }

  append(lines: readonly HeartbeatLine[]): void {
    const texts = lines.map((line) => JSON.stringify(line));
    appendLines(this.#path, texts);
    for (const text of texts) this.#written.add(text);
  }

  take(): readonly HeartbeatLine[] {
    const lines: HeartbeatLine[] = [];
    const descriptor = ifExists(() => openSync(this.#path, constants.O_RDONLY | constants.O_NOFOLLOW));
    if (descriptor === undefined) return lines;
    try {
      const { size } = fstatSync(descriptor);
      if (size < this.#offset) this.#offset = 0;
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
}

/** Keeps nothing on disk. */
export const memoryStore = (): LineStore => ({ append: () => {}, take: () => [] });

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
