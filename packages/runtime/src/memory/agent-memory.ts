import { lstatSync } from "node:fs";
import {
  type Clock,
  failureText,
  lineText,
  type Redactor,
  Semaphore,
  sourceLayout,
  warnOfEachOnce,
} from "@mdx-ai/base";
import { type LineFile, openLineFile, readBytes, readPrivateFile } from "@mdx-ai/base/disk";
import { freePlaceholder, isPlaceholder } from "@mdx-ai/sandbox";
import type { AddedNote, Memory, Notes, Remembered } from "../types/memory.ts";
import { changeMemories, type MemoryChange, MemoryError, readMemories } from "./memory-file.ts";

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

/** The memories and notes of an agent: `state/memory.json` and AGENT.md. Only the user changes them. */
export class AgentMemory {
  readonly #options: AgentMemoryOptions;
  readonly #warn: (message: string) => void;
  readonly #turns = new Semaphore();

  constructor(options: AgentMemoryOptions) {
    this.#options = options;
    this.#warn = warnOfEachOnce(options.onWarning);
  }

  /** Reads the files after all pending changes. An unreadable file is left out, with a warning. Never rejects. */
  async read(): Promise<Remembered> {
    await this.settled();
    const remembered = readRemembered(this.#options, (file, error) =>
      this.#warn(`the model does not receive ${file}: ${lineText(failureText(error))}`),
    );
    if (remembered.notes && remembered.notes.omitted > 0) {
      this.#warn("AGENT.md is longer than 64 KiB: the model does not receive the rest");
    }
    return remembered;
  }

  /** As `UserMemory.remember`. */
  async remember(text: string): Promise<Memory> {
    const said = text.toWellFormed().trim();
    const content = this.#options.redactor?.text(said) ?? said;
    if (content === "") throw new MemoryError("the memory is empty");
    const timestamp = new Date(this.#options.clock.now()).toISOString();
    return this.#change(async (memories, write) => {
      const memory = { id: newId(memories), timestamp, content };
      await write([...memories, memory]);
      return memory;
    });
  }

  /** As `UserMemory.forget`. */
  forget(id: string): Promise<Memory | undefined> {
    return this.#change(async (memories, write) => {
      const memory = memories.find((one) => one.id === id);
      if (memory) await write(memories.filter((one) => one !== memory));
      return memory;
    });
  }

  /** As `UserMemory.addNote`. */
  async addNote(text: string): Promise<AddedNote> {
    if (text.trim() === "") throw new MemoryError("the note is empty");
    const { agentDir } = this.#options;
    return this.#inTurn("AGENT.md", async () => {
      const { notes } = sourceLayout(agentDir);
      freePlaceholder(notes);
      return addNote(openNotes(notes), text);
    });
  }

  /** Resolves when all changes so far are done. Never rejects. */
  settled(): Promise<void> {
    return this.#turns.settled();
  }

  #change<Result>(change: MemoryChange<Result>): Promise<Result> {
    const { dataDir, isEphemeral, clock, onWarning } = this.#options;
    return this.#inTurn("state/memory.json", async () => {
      if (isEphemeral) throw new MemoryError("an ephemeral agent keeps no memories; start it without --ephemeral");
      return changeMemories(dataDir, change, { now: () => clock.now(), onWarning });
    });
  }

  /** Rejects with `MemoryError`. */
  async #inTurn<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#turns.run(work);
    } catch (cause) {
      if (cause instanceof MemoryError) throw cause;
      throw new MemoryError(`${file} cannot be written: ${failureText(cause)}`, { cause });
    }
  }
}

/** Short enough to type. */
function newId(memories: readonly Memory[]): string {
  for (;;) {
    const id = crypto.randomUUID().slice(0, 8);
    if (memories.every((memory) => memory.id !== id)) return id;
  }
}

/** The maximum bytes of AGENT.md that a model receives: 64 KiB. */
const SENT_BYTES = 65_536;

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

/** Makes AGENT.md if it is missing. Throws `SymbolicLinkError`, `WrongKindError`, or what the file system says. */
const openNotes = (path: string): LineFile => openLineFile(path, { mode: 0o666 });

/**
 * Appends the line `* text` to AGENT.md, closes it, and resolves when the line is on disk. It is a single write, so that lines of
 * several processes do not mix. The rest of the file, its owner and its mode stay. Rejects with the file system's error.
 */
async function addNote(file: LineFile, text: string): Promise<AddedNote> {
  const line = `* ${text.toWellFormed()}`;
  try {
    file.append(line);
    await file.sync();
    return { line, size: file.size, sent: SENT_BYTES };
  } finally {
    file.close();
  }
}
