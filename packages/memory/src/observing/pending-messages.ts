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

/** Messages of a thread that came together and have not been processed. */
export interface PendingBatch {
  readonly messages: readonly ChatMessage[];
  /** They are processed. */
  remove(): void;
}

/**
 * What was observed and has not been processed: a folder for each thread with something left to do, in it a file for each batch. A
 * batch survives the end of the process. The methods throw what the file system says.
 */
export class PendingMessages {
  readonly #folder: string;

  /** Absolute; made when it is needed. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds messages; a batch of the same number is replaced. `threadId` is a name of a file. */
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
        // Another process may finish the thread at this moment.
        if (attempt === MAX_ATTEMPTS || !isRemoved(error)) throw error;
      }
    }
  }

  /** The threads with something left to do. */
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

  /** Nothing of a thread is left to do. False if a batch has come meanwhile. */
  finish(threadId: string): boolean {
    const folder = join(this.#folder, threadId);
    if (!existsSync(folder)) return true;
    for (const name of readdirSync(folder)) if (name.endsWith(".tmp")) rmSync(join(folder, name), { force: true });
    try {
      rmdirSync(folder);
      return true;
    } catch (error) {
      const names = readdirSync(folder);
      // A file of another program keeps the folder, and is no reason to try again.
      if (names.length === 0) throw error;
      return !names.some(isBatch);
    }
  }
}

/** Whether an error says that a folder went away meanwhile. While one is made, that is called EEXIST. */
const isRemoved = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EEXIST");

const isBatch = (name: string): boolean => /^\d+\.json$/.test(name);

/** None if a power cut left half a file. */
function messagesIn(text: string): readonly ChatMessage[] {
  try {
    const value: unknown = JSON.parse(text);
    return isMessages(value) ? value : [];
  } catch {
    return [];
  }
}

const isMessages = (value: unknown): value is readonly ChatMessage[] => isList(value, isChatMessage);
