import { listOf, recordOf } from "@mdx-ai/base";
import type { Adaptation, RefusedRequest } from "../adaptations/adaptation.ts";

/** A server's words when it refuses the content next to calls. */
const REFUSED = /null|none|string|str\b|empty|blank|non-empty|missing|required|at least one/i;

/** The content of an answer that calls tools without text. Switches to the other form if the server refuses one. */
export class EmptyContent implements Adaptation {
  #value: null | "";
  #hasLearned = false;

  constructor(value: null | "") {
    this.#value = value;
  }

  get value(): null | "" {
    return this.#value;
  }

  learn({ status, said, field, body }: RefusedRequest): string | undefined {
    const isAbout = /content|text field/i.test(`${field ?? ""} ${said}`) && REFUSED.test(said);
    if (this.#hasLearned || (status !== 400 && status !== 422) || !isAbout) return undefined;
    const isSent = listOf(body["messages"])
      .map(recordOf)
      .some(({ role, content }) => role === "assistant" && content === this.#value);
    if (!isSent) return undefined;
    this.#hasLearned = true;
    this.#value = this.#value === null ? "" : null;
    return `the server does not accept calls with ${this.#value === null ? "an empty content" : "no content"}; the other form is sent from now on`;
  }
}
