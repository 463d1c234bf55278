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
import { isList } from "@mdx-ai/parser/record";
import type { ChatMessage } from "../agent/chat-message.ts";
import { isChatMessage } from "../agent/thread-event.ts";

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
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${String(number).padStart(9, "0")}.json`);
    const draft = `${path}.${process.pid}.tmp`;
    writeFileSync(draft, JSON.stringify(messages), { mode: 0o600 });
    renameSync(draft, path);
  }

  /** The threads with something left to do. */
  threads(): readonly string[] {
    return existsSync(this.#folder) ? readdirSync(this.#folder) : [];
  }

  /** The oldest batch of a thread; undefined if there is none. */
  first(threadId: string): PendingBatch | undefined {
    const folder = join(this.#folder, threadId);
    if (!existsSync(folder)) return undefined;
    const [name] = readdirSync(folder)
      .filter((one) => /^\d+\.json$/.test(one))
      .toSorted();
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
    } catch {
      return false;
    }
  }
}

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
