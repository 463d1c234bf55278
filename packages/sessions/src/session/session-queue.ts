import { type Clock, defined } from "@mdx-ai/base";
import { type PendingPrompt, STEPS, type UserInput } from "@mdx-ai/loop";
import { resultLine } from "../journal/journal.ts";
import { interruptedPrompt, type PendingEntry } from "./session.ts";
import type { SessionFiles } from "./session-files.ts";

/** The unfinished prompts of a session: the interrupted one, and the queued inputs, which are steps of its journal. */
export class SessionQueue {
  readonly #files: () => SessionFiles;
  readonly #clock: Pick<Clock, "now">;
  #changes: Promise<unknown> = Promise.resolve();

  /** `files` returns the session's current files. */
  constructor(files: () => SessionFiles, clock: Pick<Clock, "now">) {
    this.#files = files;
    this.#clock = clock;
  }

  /** As `OpenedSession.pending`. */
  get pending(): readonly PendingEntry[] {
    const { interrupted, lastPrompt, queued, isUntrusted } = this.#files();
    const waiting = queued.map(({ number, text, images, typed, cost, id }, index): PendingEntry => {
      const prompt: PendingPrompt = { prompt: lastPrompt + 1 + index, input: text, state: "queued", tools: [] };
      return { id, queued: number, prompt, images, typed, cost, isUntrusted };
    });
    if (!interrupted) return waiting;
    const { prompt, id = String(prompt), input, state, tools } = interruptedPrompt(interrupted);
    return [{ id, prompt: { prompt, input, state, tools }, isUntrusted }, ...waiting];
  }

  /** Runs `work` when no change is being written. Rejects as `work` throws. */
  async whenSettled<Result>(work: () => Result): Promise<Result> {
    for (let written: unknown; written !== this.#changes; ) {
      written = this.#changes;
      await written;
    }
    return work();
  }

  /** As `OpenedSession.enqueue`. */
  put(input: UserInput, id: string): Promise<number> {
    return this.#track(this.#put(input, id));
  }

  /** As `OpenedSession.dequeue`. */
  take(number: number): Promise<void> {
    return this.#track(this.#take(number));
  }

  /** The queue changes while prompts begin and end. */
  #track<Result>(change: Promise<Result>): Promise<Result> {
    this.#changes = Promise.allSettled([this.#changes, change]);
    return change;
  }

  async #put({ text, images = [], typed, cost }: UserInput, id: string): Promise<number> {
    const files = this.#files();
    const number = files.highest.queue + 1;
    const content = { text, ...(images.length > 0 && { images }), ...defined({ typed, cost }) };
    const queued = { ...content, id, at: this.#clock.now() };
    files.journal.append(resultLine(0, STEPS.queue.name(number), queued));
    // From here on it is known: an input that could not be written may be sent again.
    files.highest = { ...files.highest, queue: number };
    files.promptIds.add(id);
    await files.journal.sync();
    return number;
  }

  async #take(number: number): Promise<void> {
    const files = this.#files();
    files.journal.append(resultLine(0, STEPS.unqueue.name(number), { at: this.#clock.now() }));
    files.queued = files.queued.filter((input) => input.number !== number);
  }
}
