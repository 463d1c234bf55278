import type { FinishReason } from "../message-builder.ts";
import { graverFinish, readReason } from "../stop-reasons.ts";

/** Decides in one place how an answer of chat completions ended, by the reasons in its chunks and by what came after them. */
export class AnswerEnd {
  readonly #vendor: string;
  #known: FinishReason | undefined;
  /** Words that are not known, and whether some of the answer came with or after them. */
  readonly #unknown = new Map<string, "last" | "in mid-stream">();

  /** `vendor` is for messages. */
  constructor(vendor: string) {
    this.#vendor = vendor;
  }

  /** Reads the reason of a chunk; most have none. Throws `ModelError` if it says that the server failed. */
  read(reason: unknown, { hasContent }: { readonly hasContent: boolean }): void {
    if (hasContent && this.#unknown.size > 0)
      for (const word of this.#unknown.keys()) this.#unknown.set(word, "in mid-stream");
    const said = readReason(reason, this.#vendor);
    if (said === undefined) return;
    if ("finish" in said) this.#known = graverFinish(this.#known, said.finish);
    else this.#unknown.set(said.unknown, hasContent || this.#unknown.has(said.unknown) ? "in mid-stream" : "last");
  }

  /** Whether a reason said that the answer is over. */
  get isKnown(): boolean {
    return this.#known !== undefined;
  }

  /** Why the answer is over now that the connection is closed; undefined if it broke off. */
  get atClose(): FinishReason | undefined {
    // A word that is on chunks in mid-stream too says nothing about the end.
    return this.#known ?? ([...this.#unknown.values()].includes("last") ? "stop" : undefined);
  }

  /** The word of an end that nobody knows; undefined if none is needed. */
  get unknownWord(): string | undefined {
    return this.#known === undefined ? [...this.#unknown.keys()].at(-1) : undefined;
  }
}
