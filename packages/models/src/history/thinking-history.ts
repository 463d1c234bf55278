import { ModelError } from "../errors.ts";
import type { AssistantContent, Message, ThinkingContent } from "../types/message.ts";
import { type SentForm, SentHistory } from "./sent-history.ts";
import { portableContent, saysSomething, withoutLastThinking } from "./sent-parts.ts";

/** How a protocol sends a history, and how its servers refuse to take thinking back. */
export interface ThinkingForm<Wire> extends Omit<SentForm<Wire>, "content"> {
  /** The vendor whose thinking goes back. */
  readonly vendor: string;
  /** What identifies a piece of thinking, such as its signature; undefined if it cannot go back. */
  markOf(thinking: ThinkingContent): string | undefined;
  /** Whether a failure with status 400 refuses thinking. */
  isRefusal(error: ModelError): boolean;
  /** The marks of the thinking in the body of a request. */
  marksIn(body: string): readonly string[];
}

/**
 * Converts histories as `SentHistory` does. No text is empty. Thinking goes back where it was, except at the end of an
 * answer, and except what the server has refused, which it would refuse in every further request.
 */
export class ThinkingHistory<Wire> {
  readonly #form: ThinkingForm<Wire>;
  readonly #history: SentHistory<Wire>;
  readonly #refused = new Set<string>();

  constructor(form: ThinkingForm<Wire>) {
    this.#form = form;
    this.#history = new SentHistory({
      ...form,
      content: (answer) =>
        withoutLastThinking(portableContent(answer, form.vendor).filter((block) => this.#isSent(block))),
    });
  }

  of(messages: readonly Message[]): readonly Wire[] {
    return this.#history.of(messages);
  }

  /**
   * The failure of a request with this body, as the caller should get it. If the server refused the thinking in it, the
   * failure is transient: the next attempt goes without that thinking.
   */
  learn(error: unknown, body: string): unknown {
    if (!(error instanceof ModelError) || error.failure.status !== 400 || !this.#form.isRefusal(error)) return error;
    const marks = this.#form.marksIn(body);
    if (marks.length === 0) return error;
    for (const mark of marks) this.#refused.add(mark);
    this.#history.forget();
    const failure = { ...error.failure, kind: "thinking_refused", retryAfter: 0, isTransient: true };
    return new ModelError(error.message, failure);
  }

  #isSent(block: AssistantContent): boolean {
    if (block.type !== "thinking") return saysSomething(block);
    const mark = this.#form.markOf(block);
    return mark !== undefined && !this.#refused.has(mark);
  }
}
