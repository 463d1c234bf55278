import { sourceLayout } from "../layout.ts";
import type { Remembered } from "../types/memory.ts";
import { readMemories } from "./memory-file.ts";
import { readNotes } from "./notes.ts";

/** The directory that defines an agent, and the one with its sessions, state and logs. Absolute. */
export interface MemoryDirectories {
  readonly agentDir: string;
  readonly dataDir: string;
}

/** Called with the name of a file that cannot be read, and why. */
export type OnUnreadable = (file: string, error: unknown) => void;

/**
 * Reads what the user wants an agent to know. A file that cannot be read counts as missing. Never throws. Without files it
 * takes two system calls.
 */
export function readRemembered({ agentDir, dataDir }: MemoryDirectories, onUnreadable: OnUnreadable): Remembered {
  const attempt = <Result>(file: string, read: () => Result): Result | undefined => {
    try {
      return read();
    } catch (error) {
      onUnreadable(file, error);
      return undefined;
    }
  };
  const notes = attempt("AGENT.md", () => readNotes(sourceLayout(agentDir).notes));
  const memories = attempt("state/memory.json", () => readMemories(dataDir)) ?? [];
  return { ...(notes && { notes }), memories };
}
