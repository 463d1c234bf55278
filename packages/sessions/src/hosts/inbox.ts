import { isDelivery, readStep, STEPS } from "@mdx-ai/loop";
import { isUserMessage, type UserMessage } from "@mdx-ai/models";
import { typedText } from "@mdx-ai/models/typed-words";
import { type Journal, type JournalLine, resultLine } from "../journal/journal.ts";

/** A prompt and its journal. */
export interface JournaledPrompt {
  readonly journal: Journal;
  /** The number of the prompt. */
  readonly prompt: number;
  /** The prompt's lines from an earlier process. Their steps are not run again. */
  readonly journaled: readonly JournalLine[];
}

/**
 * Further user input for a running prompt. A message is journaled when it is accepted, and its number when it is
 * delivered, so that a resumed prompt receives everything at the same turns.
 */
export class Inbox {
  readonly #options: JournaledPrompt;
  readonly #messages: UserMessage[];
  readonly #deliveries: ReadonlyMap<string, number>;
  #delivered = 0;
  #isClosed = false;

  constructor(options: JournaledPrompt) {
    const { journaled } = options;
    this.#options = options;
    this.#messages = journaled.flatMap((line) =>
      "result" in line && readStep(line.step).kind === "steer" && isUserMessage(line.result) ? [line.result] : [],
    );
    this.#deliveries = new Map(
      journaled.flatMap((line) =>
        "result" in line && readStep(line.step).kind === "deliver" && isDelivery(line.result)
          ? [[line.step, line.result.upTo] as const]
          : [],
      ),
    );
  }

  /**
   * Accepts messages for joint delivery; resolves when they are on disk, or to false if the prompt makes no further request. Rejects with
   * `JournalError`.
   */
  async accept(...messages: readonly UserMessage[]): Promise<boolean> {
    if (this.#isClosed) return false;
    for (const message of messages) {
      this.#append(STEPS.steer.name(this.#messages.length + 1), message);
      this.#messages.push(message);
    }
    await this.#options.journal.sync();
    return true;
  }

  /** The messages that an earlier process delivered before a turn; undefined if it journaled none. */
  journaled(turn: number): readonly UserMessage[] | undefined {
    const upTo = this.#deliveries.get(STEPS.deliver.name(turn));
    return upTo === undefined ? undefined : this.#take(upTo);
  }

  /** Delivers waiting messages before a turn. Journals nothing if there are none. */
  deliver(turn: number): readonly UserMessage[] {
    if (this.#messages.length <= this.#delivered) return [];
    this.#append(STEPS.deliver.name(turn), { upTo: this.#messages.length });
    return this.#take(this.#messages.length);
  }

  /** Closes the inbox. Returns the texts of undelivered user messages. */
  close(): readonly string[] {
    this.#isClosed = true;
    const waiting = this.#messages.slice(this.#delivered).filter(({ origin }) => origin === undefined);
    return waiting.map(typedText);
  }

  #take(upTo: number): readonly UserMessage[] {
    const messages = this.#messages.slice(this.#delivered, upTo);
    this.#delivered = Math.max(this.#delivered, upTo);
    return messages;
  }

  #append(step: string, result: unknown): void {
    const { journal, prompt } = this.#options;
    journal.append(resultLine(prompt, step, result));
  }
}
