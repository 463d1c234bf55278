import { isUserMessage, type UserMessage } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import { isRecord } from "../record.ts";
import { deliverStep, isSteerStep, steerStep } from "../step-names.ts";
import type { Step } from "../types/step.ts";

/** The result of a delivery: so many of what the user said are in the transcript from here on. */
export interface Delivery {
  readonly upTo: number;
}

/** Whether a value that came out of JSON is the result of a delivery. */
export const isDelivery = (value: unknown): value is Delivery =>
  isRecord(value) && Number.isSafeInteger(value["upTo"]) && Number(value["upTo"]) >= 0;

/**
 * What the user says to a prompt while it runs. Each is a step of its own when it is accepted, and another one when it is
 * delivered, so that a prompt that is rebuilt after a crash hears everything, and at the same places.
 */
export class Steering {
  /** Handed to the journal, in this order. */
  #begun: number;
  /** In the journal. */
  #accepted: number;
  #delivered = 0;
  #isOver = false;

  /** `recorded` holds the steps to which an earlier process came. */
  constructor(recorded: ReadonlySet<string>) {
    this.#begun = [...recorded].filter(isSteerStep).length;
    this.#accepted = this.#begun;
  }

  /** Whether something is not delivered yet. */
  get isWaiting(): boolean {
    return this.#accepted > this.#delivered;
  }

  /** Takes what the user says. Resolves to false where the prompt has no more model call to come. Rejects with `JournalError`. */
  async accept(step: Step, message: UserMessage): Promise<boolean> {
    if (this.#isOver) return false;
    this.#begun++;
    await step(steerStep(this.#begun), async () => message, { accepts: isUserMessage, eager: true });
    this.#accepted++;
    return !this.#isOver;
  }

  /** What is to be told the model from this turn on, in the order in which it was said; without a step where there is nothing. */
  async deliver(step: Step, turn: number): Promise<readonly UserMessage[]> {
    const { upTo } = await step(deliverStep(turn), async (): Promise<Delivery> => ({ upTo: this.#accepted }), {
      accepts: isDelivery,
      eager: true,
    });
    return this.#take(step, upTo);
  }

  /** No more is accepted. Gives the texts of what was not delivered. */
  async end(step: Step): Promise<readonly string[]> {
    this.#isOver = true;
    const left = await this.#take(step, this.#accepted);
    return left.map(({ content }) => contentText(content));
  }

  async #take(step: Step, upTo: number): Promise<readonly UserMessage[]> {
    const numbers = Array.from(
      { length: Math.max(0, upTo - this.#delivered) },
      (_, place) => this.#delivered + place + 1,
    );
    this.#delivered = Math.max(this.#delivered, upTo);
    return Promise.all(
      numbers.map((number) => step(steerStep(number), notJournaled, { accepts: isUserMessage, eager: true })),
    );
  }
}

async function notJournaled(): Promise<never> {
  throw new Error("what the user said is journaled when it is accepted");
}
