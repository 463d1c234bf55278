import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { dataLayout, isRecord, jsonValue } from "@mdx-ai/base";
import { checkPaths, makePrivateFolder, readWholeFile, replaceFile, setAside, writeContent } from "@mdx-ai/base/disk";
import { LockHeldError, withLock } from "@mdx-ai/base/locks";
import type { Memory } from "../types/memory.ts";

/** Memories could not be read or written. */
export class MemoryError extends Error {
  override readonly name = "MemoryError";
}

/**
 * Reads the memories of a data directory (absolute), the oldest first; none if there is no file. Throws `MemoryError`,
 * `SymbolicLinkError`, `WrongKindError`, or what the file system says.
 */
export function readMemories(dataDir: string): readonly Memory[] {
  const memories = readMemoryFile(dataLayout(dataDir).memory);
  if (memories) return memories;
  throw new MemoryError("its format is invalid; adding a memory renames it and starts a new file");
}

/** Changes memories: `write` replaces all of them. */
export type MemoryChange<Result> = (
  memories: readonly Memory[],
  write: (memories: readonly Memory[]) => Promise<void>,
) => Promise<Result>;

export interface MemoryChangeOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onWarning: (message: string) => void;
}

/**
 * Changes the memories of a data directory under a lock, so that no concurrent change is lost. An invalid
 * file is first renamed, with a warning. Rejects as `change` does, with `MemoryError`, or with the file system's error.
 */
export async function changeMemories<Result>(
  dataDir: string,
  change: MemoryChange<Result>,
  { now, onWarning }: MemoryChangeOptions,
): Promise<Result> {
  const { state, memory: path, memoryLock } = dataLayout(dataDir);
  makePrivateFolder(state);
  checkPaths({ files: [path] });
  try {
    return await withLock(memoryLock, async () => {
      const memories = readMemoryFile(path);
      if (!memories) onWarning(setAside(path, now()));
      return change(memories ?? [], (changed) => writeMemories(path, changed));
    });
  } catch (cause) {
    if (!(cause instanceof LockHeldError)) throw cause;
    throw new MemoryError(`another process has locked ${memoryLock}; try again when it has ended`, { cause });
  }
}

/** Undefined if the format is invalid. */
function readMemoryFile(path: string): readonly Memory[] | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })) return [];
  checkPaths({ folders: [dirname(path)], files: [path] });
  // People may edit the file: the decoder removes a byte-order mark.
  const value = jsonValue(new TextDecoder().decode(readWholeFile(path)));
  return Array.isArray(value) && value.every(isMemory) ? value : undefined;
}

const writeMemories = (path: string, memories: readonly Memory[]): Promise<void> =>
  replaceFile({ path, fill: (draft) => writeContent(draft, `${JSON.stringify(memories, null, 2)}\n`) });

const isMemory = (value: unknown): value is Memory =>
  isRecord(value) && ["id", "timestamp", "content"].every((name) => typeof value[name] === "string");
