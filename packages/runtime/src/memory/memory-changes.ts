import { dataLayout, failureText, sourceLayout } from "@mdx-ai/base";
import {
  checkPaths,
  type LineFile,
  makePrivateFolder,
  openLineFile,
  replaceFile,
  setAside,
  writeContent,
} from "@mdx-ai/base/disk";
import { LockHeldError, withLock } from "@mdx-ai/base/locks";
import { freePlaceholder } from "@mdx-ai/sandbox";
import type { AddedNote, Memory } from "../types/memory.ts";
import { type AgentMemory, MemoryError, readMemoryFile, SENT_BYTES } from "./agent-memory.ts";

/** The user's changes of an agent's memories and notes. Each takes a turn of the memory: the caller waits for it. */
export class MemoryChanges {
  readonly #memory: AgentMemory;

  constructor(memory: AgentMemory) {
    this.#memory = memory;
  }

  /** As `UserMemory.remember`. */
  async remember(text: string): Promise<Memory> {
    const said = text.toWellFormed().trim();
    const content = this.#memory.options.redactor?.text(said) ?? said;
    if (content === "") throw new MemoryError("the memory is empty");
    const timestamp = new Date(this.#memory.options.clock.now()).toISOString();
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
    const { agentDir } = this.#memory.options;
    return this.#written("AGENT.md", async () => {
      const { notes } = sourceLayout(agentDir);
      freePlaceholder(notes);
      return addNote(openNotes(notes), text);
    });
  }

  #change<Result>(change: MemoryChange<Result>): Promise<Result> {
    const { dataDir, isEphemeral, clock, onWarning } = this.#memory.options;
    return this.#written("state/memory.json", async () => {
      if (isEphemeral) throw new MemoryError("an ephemeral agent keeps no memories; start it without --ephemeral");
      return changeMemories(dataDir, change, { now: () => clock.now(), onWarning });
    });
  }

  /** Rejects with `MemoryError`. */
  async #written<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
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

/** Changes memories: `write` replaces all of them. */
type MemoryChange<Result> = (
  memories: readonly Memory[],
  write: (memories: readonly Memory[]) => Promise<void>,
) => Promise<Result>;

interface MemoryChangeOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onWarning: (message: string) => void;
}

/**
 * Changes the memories of a data directory under a lock, so that no concurrent change is lost. An invalid
 * file is first renamed, with a warning. Rejects as `change` does, with `MemoryError`, or with the file system's error.
 */
async function changeMemories<Result>(
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

const writeMemories = (path: string, memories: readonly Memory[]): Promise<void> =>
  replaceFile({ path, fill: (draft) => writeContent(draft, `${JSON.stringify(memories, null, 2)}\n`) });
