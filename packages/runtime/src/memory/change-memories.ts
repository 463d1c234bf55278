import { setAside } from "../state/set-aside.ts";
import type { Memory } from "../types/memory.ts";
import { readMemoryFile, writeMemoryFile } from "./memory-file.ts";
import { whileLocked } from "./memory-lock.ts";

/** What becomes of memories. */
export interface MemoryChange<Result> {
  readonly result: Result;
  /** All of them from now on; absent where they stay as they are. */
  readonly memories?: readonly Memory[];
}

export interface ChangeOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onWarning: (message: string) => void;
}

/**
 * Changes the memories, one process after the other. A file that cannot be understood is set aside first, with a warning.
 * Rejects as `change` throws, with `MemoryError`, or with what the file system says.
 */
export function changeMemories<Result>(
  path: string,
  change: (memories: readonly Memory[]) => MemoryChange<Result>,
  { now, onWarning }: ChangeOptions,
): Promise<Result> {
  return whileLocked(path, now, async () => {
    const file = readMemoryFile(path);
    if (file.state === "broken") onWarning(setAside(path, now()));
    const { result, memories } = change(file.state === "broken" ? [] : file.memories);
    if (memories) await writeMemoryFile(path, memories);
    return result;
  });
}
