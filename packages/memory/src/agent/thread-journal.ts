import { closeSync, constants, fdatasync, fsync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord, sha256 } from "@mdx-ai/base";
import { MemoryStoreError } from "../memory-store-error.ts";
import { isThreadEvent, type ThreadEvent } from "./thread-event.ts";

/** The format version, in each line. */
const THREAD_VERSION = 1;

/** The append-only journal of one thread. The opener ensures that there is one writer at a time. */
export interface ThreadJournal {
  /** The lines read when it was opened. */
  readonly events: readonly ThreadEvent[];
  /** Resolves when the line is flushed. Rejects with the file system's error. */
  append(event: ThreadEvent): Promise<void>;
  close(): void;
}

/** Opens the journal of a thread, or creates it. */
export type OpenThread = (threadId: string) => Promise<ThreadJournal>;

/** Keeps the journals of threads as files in an absolute folder, which is created if missing. */
export const threadFiles =
  (folder: string): OpenThread =>
  async (threadId) =>
    openThreadFile(join(folder, threadFileName(threadId)));

/** The file name of a thread: its id, or a hash if the id is not a valid file name. */
export const threadFileName = (threadId: string): string =>
  `${/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(threadId) ? threadId : `=${sha256(threadId)}`}.jsonl`;

const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Throws file system errors, and `MemoryStoreError` for lines of a newer version. Skips a line that a crash cut off. */
function openThreadFile(path: string): ThreadJournal {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const descriptor = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  const text = readFileSync(descriptor, "utf8");
  let before = text === "" || text.endsWith("\n") ? "" : "\n";
  let isNew = text === "";
  return {
    events: text.split("\n").flatMap((line) => eventOf(line, path) ?? []),
    append: async (event) => {
      writeWhole(descriptor, `${before}${JSON.stringify({ v: THREAD_VERSION, ...event })}\n`);
      before = "";
      await synced(fdatasync, descriptor);
      if (isNew) await syncFolder(dirname(path));
      isNew = false;
    },
    close: () => closeSync(descriptor),
  };
}

function eventOf(line: string, path: string): ThreadEvent | undefined {
  const value = jsonValue(line);
  const version = isRecord(value) ? value["v"] : undefined;
  if (typeof version === "number" && version > THREAD_VERSION) {
    throw new MemoryStoreError("unavailable", `${path} was written by a newer version of mdx-ai; update mdx-ai`);
  }
  return version === THREAD_VERSION && isThreadEvent(value) ? value : undefined;
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

const synced = (
  sync: (descriptor: number, done: (error: Error | null) => void) => void,
  descriptor: number,
): Promise<void> => new Promise((resolve, reject) => sync(descriptor, (error) => (error ? reject(error) : resolve())));

async function syncFolder(folder: string): Promise<void> {
  const descriptor = openSync(folder, O_RDONLY);
  try {
    await synced(fsync, descriptor);
  } finally {
    closeSync(descriptor);
  }
}
