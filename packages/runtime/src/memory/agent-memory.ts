import { failureText } from "../files/failure-text.ts";
import { lineText } from "../log/line-text.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { Clock } from "../types/agent.ts";
import type { AddedNote, Memory, Remembered } from "../types/memory.ts";
import { addNote } from "./add-note.ts";
import { changeMemories, type MemoryChange } from "./change-memories.ts";
import { MemoryError } from "./memory-error.ts";
import { memoryPath } from "./memory-file.ts";
import { notesPath, readRemembered } from "./remembered.ts";

export interface AgentMemoryOptions {
  /** Absolute. */
  readonly agentDir: string;
  readonly clock: Clock;
  /** Whether the agent leaves nothing behind: then nothing can be remembered or forgotten. */
  readonly isEphemeral: boolean;
  /** What it takes out is not remembered; nothing where absent. */
  readonly redactor?: Redactor;
  /** Told what is wrong with a file: one line, once. */
  readonly onWarning: (message: string) => void;
}

/** What the user wants an agent to know: AGENT.md and `state/memory.json`. Only the user's own word changes them. */
export class AgentMemory {
  readonly #options: AgentMemoryOptions;
  readonly #warned = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: AgentMemoryOptions) {
    this.#options = options;
  }

  /** As it is by now. What cannot be read is told and passed over. Never throws. */
  read(): Remembered {
    const remembered = readRemembered(this.#options.agentDir, (file, error) =>
      this.#warn(`${file} is not told to the model: ${lineText(failureText(error))}`),
    );
    if (remembered.notes && remembered.notes.omitted > 0) {
      this.#warn("AGENT.md is longer than 64 KiB: what stands beyond is not told to the model");
    }
    return remembered;
  }

  /** As `Agent.remember`. */
  async remember(text: string): Promise<Memory> {
    const told = text.toWellFormed().trim();
    const content = this.#options.redactor?.text(told) ?? told;
    if (content === "") throw new MemoryError("there is nothing to remember");
    const timestamp = new Date(this.#options.clock.now()).toISOString();
    return this.#change((memories) => {
      const memory = { id: newId(memories), timestamp, content };
      return { result: memory, memories: [...memories, memory] };
    });
  }

  /** As `Agent.forget`. */
  forget(id: string): Promise<Memory | undefined> {
    return this.#change((memories) => {
      const memory = memories.find((one) => one.id === id);
      return { result: memory, ...(memory && { memories: memories.filter((one) => one !== memory) }) };
    });
  }

  /** As `Agent.addNote`. */
  async addNote(text: string): Promise<AddedNote> {
    if (text.trim() === "") throw new MemoryError("there is nothing to note");
    return this.#inTurn("AGENT.md", () => addNote(notesPath(this.#options.agentDir), text));
  }

  /** Resolves when all that was asked for by now is done. Never rejects. */
  async settled(): Promise<void> {
    await this.#last;
  }

  #change<Result>(change: (memories: readonly Memory[]) => MemoryChange<Result>): Promise<Result> {
    const { agentDir, isEphemeral, clock, onWarning } = this.#options;
    return this.#inTurn("state/memory.json", async () => {
      if (isEphemeral) throw new MemoryError("this agent leaves nothing behind; start it without --ephemeral");
      return changeMemories(memoryPath(agentDir), change, { now: () => clock.now(), onWarning });
    });
  }

  /** Rejects with `MemoryError`. */
  #inTurn<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work).catch((error: unknown) => {
      throw error instanceof MemoryError ? error : unwritable(file, error);
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  #warn(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#options.onWarning(message);
  }
}

const unwritable = (file: string, cause: unknown): MemoryError =>
  new MemoryError(`${file} cannot be written: ${failureText(cause)}`, { cause });

/** Short enough to be typed. */
function newId(memories: readonly Memory[]): string {
  for (;;) {
    const id = crypto.randomUUID().slice(0, 8);
    if (memories.every((memory) => memory.id !== id)) return id;
  }
}
