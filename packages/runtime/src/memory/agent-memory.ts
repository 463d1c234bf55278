import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import {
  type Clock,
  dataLayout,
  failureText,
  isRecord,
  jsonValue,
  lineText,
  type Redactor,
  Semaphore,
  sourceLayout,
  warnOfEachOnce,
} from "@mdx-ai/base";
import { checkPaths, readBytes, readPrivateFile, readWholeFile } from "@mdx-ai/base/disk";
import { isPlaceholder } from "@mdx-ai/sandbox";
import type { Memory, Notes, Remembered } from "../types/memory.ts";

/** Memories could not be read or written. */
export class MemoryError extends Error {
  override readonly name = "MemoryError";
}

/** The agent directory, and the directory with its sessions, state and logs. Absolute. */
interface MemoryDirectories {
  readonly agentDir: string;
  readonly dataDir: string;
}

/**
 * Reads the memories and notes of an agent. `onUnreadable` receives the name of an unreadable file, which counts as
 * missing, and the reason. Never throws.
 */
export function readRemembered(
  { agentDir, dataDir }: MemoryDirectories,
  onUnreadable: (file: string, error: unknown) => void,
): Remembered {
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

export interface AgentMemoryOptions extends MemoryDirectories {
  readonly clock: Clock;
  /** Whether the agent is ephemeral, so that memories cannot change. */
  readonly isEphemeral: boolean;
  /** Redacts memories and notes. Absent: they are kept unchanged. */
  readonly redactor?: Redactor;
  /** Called once, with one line, for each problem with a file. */
  readonly onWarning: (message: string) => void;
}

/** The memories and notes of an agent: `state/memory.json` and AGENT.md. Only the user changes them, by `MemoryChanges`. */
export class AgentMemory {
  readonly options: AgentMemoryOptions;
  /** Changes run one after the other. */
  readonly turns: Semaphore = new Semaphore();
  readonly #warn: (message: string) => void;

  constructor(options: AgentMemoryOptions) {
    this.options = options;
    this.#warn = warnOfEachOnce(options.onWarning);
  }

  /** Reads the files after all pending changes. An unreadable file is left out, with a warning. Never rejects. */
  async read(): Promise<Remembered> {
    await this.settled();
    const remembered = readRemembered(this.options, (file, error) =>
      this.#warn(`the model does not receive ${file}: ${lineText(failureText(error))}`),
    );
    if (remembered.notes && remembered.notes.omitted > 0) {
      this.#warn("AGENT.md is longer than 64 KiB: the model does not receive the rest");
    }
    return remembered;
  }

  /** Resolves when all changes so far are done. Never rejects. */
  settled(): Promise<void> {
    return this.turns.settled();
  }
}

/** The maximum bytes of AGENT.md that a model receives: 64 KiB. */
export const SENT_BYTES = 65_536;

/**
 * Reads the beginning of AGENT.md; undefined if there is no such file. Throws `SymbolicLinkError`, `WrongKindError`, or what the
 * file system says.
 */
function readNotes(path: string): Notes | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false }) || isPlaceholder(path)) return undefined;
  return readPrivateFile(path, (descriptor, { size }) => {
    const bytes = readBytes(descriptor, 0, SENT_BYTES);
    // Drops a character that is cut at the end.
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: bytes.length < size });
    // Replacement characters are longer than the invalid bytes.
    const sent = Math.min(bytes.length, Buffer.byteLength(text));
    return { text: text.replace(/^\uFEFF/, ""), size, omitted: Math.max(0, size - sent) };
  });
}

/**
 * Reads the memories of a data directory (absolute), the oldest first; none if there is no file. Throws `MemoryError`,
 * `SymbolicLinkError`, `WrongKindError`, or what the file system says.
 */
function readMemories(dataDir: string): readonly Memory[] {
  const memories = readMemoryFile(dataLayout(dataDir).memory);
  if (memories) return memories;
  throw new MemoryError("its format is invalid; adding a memory renames it and starts a new file");
}

/** Undefined if the format is invalid. */
export function readMemoryFile(path: string): readonly Memory[] | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })) return [];
  checkPaths({ folders: [dirname(path)], files: [path] });
  // People may edit the file: the decoder removes a byte-order mark.
  const value = jsonValue(new TextDecoder().decode(readWholeFile(path)));
  const memories = isBirdiesFile(value) ? value.entries : value;
  return Array.isArray(memories) && memories.every(isMemory) ? memories : undefined;
}

/** The file of birdie-agent, which names its user. What is written next is the list alone. */
const isBirdiesFile = (value: unknown): value is { readonly entries: unknown } =>
  isRecord(value) && typeof value["user_id"] === "string" && "entries" in value;

const isMemory = (value: unknown): value is Memory =>
  isRecord(value) && ["id", "timestamp", "content"].every((name) => typeof value[name] === "string");
