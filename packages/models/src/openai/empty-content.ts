import { listOf, recordOf } from "@mdx-ai/base";
import type { Adaptation, RefusedRequest } from "../adaptations/adaptation.ts";

/** What a server says of a content that it does not take beside calls. */
const REFUSED = /null|none|string|str\b|empty|blank|non-empty|missing|required|at least one/i;

/** What stands for the text of an answer that calls tools and says nothing. A server that refuses one form gets the other. */
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
    return `the server does not take calls beside ${this.#value === null ? "an empty content" : "no content"}, which is sent the other way from now on`;
  }
}
