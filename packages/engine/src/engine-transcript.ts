import type { Message } from "@mdx-ai/models";
import {
  type Checkpoint,
  commandsOf,
  type JournalLine,
  readRecording,
  requirePrompt,
  rewindLine,
} from "@mdx-ai/sessions";
import type { EngineSessions } from "./shared-sessions.ts";

/** The transcript of a session of the engine: reading, branching and taking back. Files that tools changed are not restored. */
export class EngineTranscript {
  readonly #id: string;
  readonly #sessions: EngineSessions;

  constructor(id: string, sessions: EngineSessions) {
    this.#id = id;
    this.#sessions = sessions;
  }

  async messages(): Promise<readonly Message[]> {
    return readRecording(await this.#lines()).messages;
  }

  async checkpoints(): Promise<readonly Checkpoint[]> {
    const { prompts } = readRecording(await this.#lines());
    return prompts.map(({ number: prompt, input, history }) => ({
      ...{ prompt, input, files: [], commands: commandsOf(history) },
    }));
  }

  /** Rejects with `UnknownPromptError`, or with `SessionBusyError` while a prompt runs. */
  async rewind(prompt: number): Promise<void> {
    const lines = await this.#lines();
    const { prompts } = readRecording(lines);
    requirePrompt(this.#id, prompt, lines);
    const before = prompts.findLast(({ number }) => number < prompt)?.number ?? 0;
    await this.#sessions.change(this.#id, "append", [rewindLine(this.#id, lines, before, Date.now())]);
  }

  /** Takes back the last prompt, if there is one. */
  async undo(): Promise<void> {
    const { prompts } = readRecording(await this.#lines());
    const last = prompts.at(-1);
    if (last) await this.rewind(last.number);
  }

  /** As `Session.fork` does. */
  async fork(id: string, at: number | undefined): Promise<number> {
    const lines = await this.#lines();
    const { prompts } = readRecording(lines);
    const last = at ?? prompts.findLast(({ isWhole }) => isWhole)?.number ?? 0;
    const head = rewindLine(this.#id, lines, last, Date.now());
    await this.#sessions.create(id, undefined);
    await this.#sessions.change(id, "append", [...lines, head]);
    return last;
  }

  #lines(): Promise<readonly JournalLine[]> {
    return this.#sessions.lines(this.#id);
  }
}
