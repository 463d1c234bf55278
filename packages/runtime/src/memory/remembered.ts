import { join } from "node:path";
import type { Memory, Remembered } from "../types/memory.ts";
import { MemoryError } from "./memory-error.ts";
import { memoryPath, readMemoryFile } from "./memory-file.ts";
import { readNotes } from "./read-notes.ts";

/** AGENT.md of `agentDir` (absolute). */
export const notesPath = (agentDir: string): string => join(agentDir, "AGENT.md");

/** Called back with the name of a file that cannot be read, and why. */
export type OnUnreadable = (file: string, error: unknown) => void;

/**
 * Reads what the user wants an agent to know. What cannot be read counts as not there. Never throws. Without files it costs
 * two looks at the disk.
 */
export function readRemembered(agentDir: string, onUnreadable: OnUnreadable): Remembered {
  const attempt = <Result>(file: string, read: () => Result): Result | undefined => {
    try {
      return read();
    } catch (error) {
      onUnreadable(file, error);
      return undefined;
    }
  };
  const notes = attempt("AGENT.md", () => readNotes(notesPath(agentDir)));
  const memories = attempt("state/memory.json", () => readMemories(memoryPath(agentDir))) ?? [];
  return { ...(notes && { notes }), memories };
}

function readMemories(path: string): readonly Memory[] {
  const file = readMemoryFile(path);
  if (file.state === "readable") return file.memories;
  throw new MemoryError("it cannot be understood; what is remembered next sets it aside");
}
