import type { Adaptation } from "../adaptations/adaptation.ts";
import type { AssistantContent, Message, ThinkingContent } from "../types/message.ts";
import { type RefusalForm, RefusedMarks } from "./refused-marks.ts";
import { type SentForm, SentHistory } from "./sent-history.ts";
import { portableContent, saysSomething, withoutLastThinking } from "./sent-parts.ts";

/** How a protocol sends a history, and how its servers refuse to take thinking back. */
export interface ThinkingForm<Wire> extends Omit<SentForm<Wire>, "content">, RefusalForm {
  /** The vendor whose thinking goes back. */
  readonly vendor: string;
  /** What identifies a piece of thinking, such as its signature; undefined if it cannot go back. */
  markOf(thinking: ThinkingContent): string | undefined;
}

/**
 * Converts histories as `SentHistory` does. No text is empty. Thinking goes back where it was, except at the end of an
 * answer, and except what the server has refused, which it would refuse in every further request.
 */
export class ThinkingHistory<Wire> {
  readonly #form: ThinkingForm<Wire>;
  readonly #history: SentHistory<Wire>;
  readonly #refused: RefusedMarks;

  constructor(form: ThinkingForm<Wire>) {
    this.#form = form;
    this.#refused = new RefusedMarks(form);
    this.#history = new SentHistory({
      ...form,
      content: (answer) =>
        withoutLastThinking(portableContent(answer, form.vendor).filter((block) => this.#isSent(block))),
    });
  }

  of(messages: readonly Message[]): readonly Wire[] {
    return this.#history.of(messages);
  }

  /** Learns which thinking the server does not take back. */
  get adaptation(): Adaptation {
    return this.#refused;
  }

  /** Converts the next history again. */
  forget(): void {
    this.#history.forget();
  }

  #isSent(block: AssistantContent): boolean {
    if (block.type !== "thinking") return saysSomething(block);
    const mark = this.#form.markOf(block);
    return mark !== undefined && !this.#refused.has(mark);
  }
}
