import { failureText } from "../files/error-code.ts";
import { sourceLayout } from "../layout.ts";
import { lineText } from "../log/line-text.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { Turns } from "../turns.ts";
import type { Clock } from "../types/agent.ts";
import type { AddedNote, Memory, Remembered } from "../types/memory.ts";
import { changeMemories, type MemoryChange, MemoryError, readMemories } from "./memory-file.ts";
import { addNote, readNotes } from "./notes.ts";

/** The directory that defines an agent, and the one with its sessions, state and logs. Absolute. */
interface MemoryDirectories {
  readonly agentDir: string;
  readonly dataDir: string;
}

/**
 * Reads what the user wants an agent to know. `onUnreadable` receives the name of a file that cannot be read, which counts as
 * missing, and why. Never throws. Without files it takes two system calls.
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
  /** Whether the agent leaves nothing behind: then nothing can be remembered or forgotten. */
  readonly isEphemeral: boolean;
  /** Redacts what is remembered; nothing if absent. */
  readonly redactor?: Redactor;
  /** Called once, with one line, for each problem with a file. */
  readonly onWarning: (message: string) => void;
}

/** What the user wants an agent to know: AGENT.md and `state/memory.json`. Only the user changes them. */
export class AgentMemory {
  readonly #options: AgentMemoryOptions;
  readonly #warned = new Set<string>();
  readonly #turns = new Turns();

  constructor(options: AgentMemoryOptions) {
    this.#options = options;
  }

  /** As the files are now. A file that cannot be read is left out, with a warning. Never throws. */
  read(): Remembered {
    const remembered = readRemembered(this.#options, (file, error) =>
      this.#warn(`the model does not receive ${file}: ${lineText(failureText(error))}`),
    );
    if (remembered.notes && remembered.notes.omitted > 0) {
      this.#warn("AGENT.md is longer than 64 KiB: the model does not receive the rest");
    }
    return remembered;
  }

  /** As `Agent.remember`. */
  async remember(text: string): Promise<Memory> {
    const said = text.toWellFormed().trim();
    const content = this.#options.redactor?.text(said) ?? said;
    if (content === "") throw new MemoryError("there is nothing to remember");
    const timestamp = new Date(this.#options.clock.now()).toISOString();
    return this.#change(async (memories, write) => {
      const memory = { id: newId(memories), timestamp, content };
      await write([...memories, memory]);
      return memory;
    });
  }

  /** As `Agent.forget`. */
  forget(id: string): Promise<Memory | undefined> {
    return this.#change(async (memories, write) => {
      const memory = memories.find((one) => one.id === id);
      if (memory) await write(memories.filter((one) => one !== memory));
      return memory;
    });
  }

  /** As `Agent.addNote`. */
  async addNote(text: string): Promise<AddedNote> {
    if (text.trim() === "") throw new MemoryError("there is nothing to note");
    return this.#inTurn("AGENT.md", () => addNote(sourceLayout(this.#options.agentDir).notes, text));
  }

  /** Resolves when all changes so far are done. Never rejects. */
  settled(): Promise<void> {
    return this.#turns.settled();
  }

  #change<Result>(change: MemoryChange<Result>): Promise<Result> {
    const { dataDir, isEphemeral, clock, onWarning } = this.#options;
    return this.#inTurn("state/memory.json", async () => {
      if (isEphemeral) throw new MemoryError("this agent leaves nothing behind; start it without --ephemeral");
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

  #warn(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#options.onWarning(message);
  }
}

/** Short enough to be typed. */
function newId(memories: readonly Memory[]): string {
  for (;;) {
    const id = crypto.randomUUID().slice(0, 8);
    if (memories.every((memory) => memory.id !== id)) return id;
  }
}
