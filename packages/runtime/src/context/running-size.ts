import type { Message } from "@mdx-ai/models";
import { type Measure, messageSize } from "./message-size.ts";

/** Adds up messages that mostly grow at their end, at the cost of what was added since the last time. */
export class RunningSize {
  #first: Message | undefined;
  #last: Message | undefined;
  #count = 0;
  #size = 0;

  of(messages: readonly Message[], measure: Measure): number {
    if (!this.#isBeginningOf(messages)) this.#reset(messages);
    for (let place = this.#count; place < messages.length; place++) this.#add(messages[place], measure);
    this.#count = messages.length;
    return this.#size;
  }

  /** The messages between have not changed where both ends are in their places: transcripts only grow. */
  #isBeginningOf(messages: readonly Message[]): boolean {
    if (this.#count === 0 || this.#count > messages.length) return false;
    return messages[0] === this.#first && messages[this.#count - 1] === this.#last;
  }

  #reset(messages: readonly Message[]): void {
    this.#first = messages[0];
    this.#last = undefined;
    this.#count = 0;
    this.#size = 0;
  }

  #add(message: Message | undefined, measure: Measure): void {
    if (message === undefined) return;
    this.#last = message;
    this.#size += messageSize(message, measure);
  }
}
