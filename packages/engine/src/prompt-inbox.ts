import type { UserMessage } from "@mdx-ai/models";
import type { ObjectContext } from "@restatedev/restate-sdk";
import type { CompletionPump } from "./completion-pump.ts";
import { isPromptMessage, SIGNALS } from "./signals.ts";

export interface PromptInboxParts {
  readonly context: Pick<ObjectContext, "signal">;
  readonly pump: CompletionPump;
  /** Receives each input with its number, from 1. */
  readonly onInput: (message: UserMessage, number: number) => void;
}

/** What a controller has sent to a running prompt, in the order of the engine's log. */
export class PromptInbox {
  readonly #parts: PromptInboxParts;
  readonly #stop = new AbortController();
  readonly #input: UserMessage[] = [];
  #messages = 0;
  #delivered = 0;

  constructor(parts: PromptInboxParts) {
    this.#parts = parts;
    this.#watch();
  }

  /** Fires when the prompt is cancelled. */
  get cancelled(): AbortSignal {
    return this.#stop.signal;
  }

  /** How many messages the user has sent, as far as is known. */
  get count(): number {
    return this.#input.length;
  }

  /** The number of the last input that the model has not seen; undefined if it has seen all. */
  get news(): number | undefined {
    return this.#input.length > this.#delivered ? this.#input.length : undefined;
  }

  /** The input that the model has not seen. */
  get undelivered(): readonly UserMessage[] {
    return this.#input.slice(this.#delivered);
  }

  /** Takes the input up to a number. */
  take(upTo: number): readonly UserMessage[] {
    const messages = this.#input.slice(this.#delivered, upTo);
    this.#delivered = upTo;
    return messages;
  }

  #watch(): void {
    const { context, pump, onInput } = this.#parts;
    pump.watch<unknown>(context.signal(SIGNALS.message(++this.#messages)), (message) => {
      this.#watch();
      if (!isPromptMessage(message)) return;
      if ("cancel" in message) this.#stop.abort();
      else onInput(message.steer, this.#input.push(message.steer));
    });
  }
}
