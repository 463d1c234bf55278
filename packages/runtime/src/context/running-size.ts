import type { Message } from "@mdx-ai/models";
import { type Measure, messageSize } from "./message-size.ts";

/** Adds up messages that mostly grow at their end, at the cost of what was added since the last time. */
export class RunningSize {
  readonly #measure: Measure;
  #first: Message | undefined;
  #last: Message | undefined;
  #count = 0;
  #size = 0;

  constructor(measure: Measure) {
    this.#measure = measure;
  }

  /** The size of all messages; or, where that is more than `enough`, any size that is more. */
  of(messages: readonly Message[], enough: number = Number.POSITIVE_INFINITY): number {
    if (!this.#isBeginningOf(messages)) this.#reset();
    for (let place = this.#count; place < messages.length && this.#size <= enough; place++) this.#add(messages[place]);
    return this.#size;
  }

  /** The messages between have not changed where both ends are in their places: transcripts only grow. */
  #isBeginningOf(messages: readonly Message[]): boolean {
    return this.#count === 0 || (messages[0] === this.#first && messages[this.#count - 1] === this.#last);
  }

  #reset(): void {
    this.#count = 0;
    this.#size = 0;
  }

  #add(message: Message | undefined): void {
    if (message === undefined) return;
    if (this.#count === 0) this.#first = message;
    this.#last = message;
    this.#count++;
    this.#size += messageSize(message, this.#measure);
  }
}
