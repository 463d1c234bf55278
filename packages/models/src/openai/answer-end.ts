import type { FinishReason } from "../message-builder.ts";
import { graverFinish, readReason } from "../stop-reasons.ts";

/** Decides how an answer of chat completions ended, from the reasons in its chunks and the chunks after them. */
export class AnswerEnd {
  readonly #vendor: string;
  #known: FinishReason | undefined;
  /** Unknown reasons, and whether content came with or after them. */
  readonly #unknown = new Map<string, "last" | "in mid-stream">();

  /** `vendor` is used in messages. */
  constructor(vendor: string) {
    this.#vendor = vendor;
  }

  /** Reads a chunk's reason; most chunks have none. Throws `ModelError` if it reports a failure of the server. */
  read(reason: unknown, { hasContent }: { readonly hasContent: boolean }): void {
    if (hasContent && this.#unknown.size > 0)
      for (const word of this.#unknown.keys()) this.#unknown.set(word, "in mid-stream");
    const said = readReason(reason, this.#vendor);
    if (said === undefined) return;
    if ("finish" in said) this.#known = graverFinish(this.#known, said.finish);
    else this.#unknown.set(said.unknown, hasContent || this.#unknown.has(said.unknown) ? "in mid-stream" : "last");
  }

  /** Whether a reason ended the answer. */
  get isKnown(): boolean {
    return this.#known !== undefined;
  }

  /** Why the answer ended, once the connection is closed; undefined if it broke off. */
  get atClose(): FinishReason | undefined {
    // An unknown reason that also appears in mid-stream does not end an answer.
    return this.#known ?? ([...this.#unknown.values()].includes("last") ? "stop" : undefined);
  }

  /** The unknown reason of the end; undefined if there is none. */
  get unknownWord(): string | undefined {
    return this.#known === undefined ? [...this.#unknown.keys()].at(-1) : undefined;
  }
}
