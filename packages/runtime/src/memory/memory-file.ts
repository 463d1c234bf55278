import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { checkPaths, makeOwnFolder } from "../files/check-paths.ts";
import { setAside } from "../files/drafts.ts";
import { readWholeFile } from "../files/read-file.ts";
import { replaceFile } from "../files/replace-file.ts";
import { jsonValue } from "../json-value.ts";
import { dataLayout } from "../layout.ts";
import { LockHeldError } from "../lock/file-lock.ts";
import { withLock } from "../lock/with-lock.ts";
import { isRecord } from "../record.ts";
import type { Memory } from "../types/memory.ts";

/** Memories could not be read or written; the message says why. */
export class MemoryError extends Error {
  override readonly name = "MemoryError";
}

/** Memories, or a file that cannot be understood. */
type MemoryFile = { readonly state: "readable"; readonly memories: readonly Memory[] } | { readonly state: "broken" };

/**
 * The memories of a data directory (absolute), the oldest first; none if there is no file. Throws `MemoryError`,
 * `SymbolicLinkError`, `WrongKindError`, or what the file system says.
 */
export function readMemories(dataDir: string): readonly Memory[] {
  const file = readMemoryFile(dataLayout(dataDir).memory);
  if (file.state === "readable") return file.memories;
  throw new MemoryError("it cannot be understood; the next memory sets it aside");
}

/** A change of the memories, and what the caller gets. */
export interface MemoryChange<Result> {
  readonly result: Result;
  /** All memories from now on; absent if they stay as they are. */
  readonly memories?: readonly Memory[];
}

export interface MemoryChangeOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onWarning: (message: string) => void;
}

/**
 * Changes the memories of a data directory, one process after the other, so that of two changes neither is lost. A file that cannot
 * be understood is set aside first, with a warning. Rejects as `change` throws, with `MemoryError`, or with what the file system says.
 */
export async function changeMemories<Result>(
  dataDir: string,
  change: (memories: readonly Memory[]) => MemoryChange<Result>,
  { now, onWarning }: MemoryChangeOptions,
): Promise<Result> {
  const { state, memory: path, memoryLock } = dataLayout(dataDir);
  const work = async (): Promise<Result> => {
    const file = readMemoryFile(path);
    if (file.state === "broken") onWarning(setAside(path, now()));
    const { result, memories } = change(file.state === "broken" ? [] : file.memories);
    if (memories) await writeMemories(path, memories);
    return result;
  };
  makeOwnFolder(state);
  checkPaths({ files: [path] });
  try {
    return await withLock(memoryLock, work);
  } catch (cause) {
    if (!(cause instanceof LockHeldError)) throw cause;
    throw new MemoryError(`another process holds ${memoryLock}; try again when it is gone`, { cause });
  }
}

function readMemoryFile(path: string): MemoryFile {
  if (!lstatSync(path, { throwIfNoEntry: false })) return { state: "readable", memories: [] };
  checkPaths({ folders: [dirname(path)], files: [path] });
  // People may edit the file: the decoder removes a byte-order mark.
  const value = jsonValue(new TextDecoder().decode(readWholeFile(path)));
  return isMemories(value) ? { state: "readable", memories: value } : { state: "broken" };
}

const writeMemories = (path: string, memories: readonly Memory[]): Promise<void> =>
  replaceFile({ path, fill: (draft) => draft.writeFile(`${JSON.stringify(memories, null, 2)}\n`) });

const isMemories = (value: unknown): value is readonly Memory[] => Array.isArray(value) && value.every(isMemory);

function isMemory(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { id, timestamp, content } = value;
  return typeof id === "string" && typeof timestamp === "string" && typeof content === "string";
}
