import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isList } from "@mdx-ai/base";
import type { ChatMessage } from "../agent/chat-message.ts";
import { isChatMessage } from "../agent/thread-event.ts";

const MAX_ATTEMPTS = 100;

/** Messages of a thread that arrived together and are not processed yet. */
export interface PendingBatch {
  readonly messages: readonly ChatMessage[];
  /** Removes the batch once it is processed. */
  remove(): void;
}

/** A queue on disk: a folder per thread with pending work, and a file per batch. Methods throw file system errors. */
export class PendingMessages {
  readonly #folder: string;

  /** Absolute; created on first use. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds messages and replaces a batch with the same number. `threadId` must be a valid file name. */
  add(threadId: string, number: number, messages: readonly ChatMessage[]): void {
    const folder = join(this.#folder, threadId);
    const path = join(folder, `${String(number).padStart(9, "0")}.json`);
    const draft = `${path}.${process.pid}.tmp`;
    for (let attempt = 1; ; attempt++) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(draft, JSON.stringify(messages), { mode: 0o600 });
        renameSync(draft, path);
        return;
      } catch (error) {
        // Another process may be finishing the thread.
        if (attempt === MAX_ATTEMPTS || !isRemoved(error)) throw error;
      }
    }
  }

  /** Threads with pending work. */
  threads(): readonly string[] {
    if (!existsSync(this.#folder)) return [];
    const found = readdirSync(this.#folder, { withFileTypes: true });
    return found.flatMap((entry) => (entry.isDirectory() ? entry.name : []));
  }

  /** The oldest batch of a thread; undefined if there is none. */
  first(threadId: string): PendingBatch | undefined {
    const folder = join(this.#folder, threadId);
    const [name] = existsSync(folder) ? readdirSync(folder).filter(isBatch).toSorted() : [];
    if (name === undefined) return undefined;
    const path = join(folder, name);
    return { messages: messagesIn(readFileSync(path, "utf8")), remove: () => rmSync(path, { force: true }) };
  }

  /** Marks a thread as done. False if another batch has arrived. */
  finish(threadId: string): boolean {
    const folder = join(this.#folder, threadId);
    if (!existsSync(folder)) return true;
    for (const name of readdirSync(folder)) if (name.endsWith(".tmp")) rmSync(join(folder, name), { force: true });
    try {
      rmdirSync(folder);
      return true;
    } catch (error) {
      const names = readdirSync(folder);
      // A file of another program keeps the folder; a retry would not help.
      if (names.length === 0) throw error;
      return !names.some(isBatch);
    }
  }
}

/** Whether a folder was removed concurrently; during creation that appears as EEXIST. */
const isRemoved = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EEXIST");

const isBatch = (name: string): boolean => /^\d+\.json$/.test(name);

/** Empty if a power failure left half a file. */
function messagesIn(text: string): readonly ChatMessage[] {
  try {
    const value: unknown = JSON.parse(text);
    return isMessages(value) ? value : [];
  } catch {
    return [];
  }
}

const isMessages = (value: unknown): value is readonly ChatMessage[] => isList(value, isChatMessage);
