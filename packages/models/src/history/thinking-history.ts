import type { Adaptation } from "../adaptations/adaptation.ts";
import type { AssistantContent, Message, ThinkingContent } from "../types/message.ts";
import { type RefusalForm, RefusedMarks } from "./refused-marks.ts";
import { type SentForm, SentHistory } from "./sent-history.ts";
import { portableContent, saysSomething, withoutLastThinking } from "./sent-parts.ts";

/** How a protocol sends a history, and how its servers reject thinking. */
export interface ThinkingForm<Wire> extends Omit<SentForm<Wire>, "content">, RefusalForm {
  /** The vendor whose thinking is sent back. */
  readonly vendor: string;
  /** Identifies a piece of thinking, for example by its signature; undefined if it cannot be sent back. */
  markOf(thinking: ThinkingContent): string | undefined;
}

/**
 * Converts histories as `SentHistory` does. No text is empty. Thinking is sent back in place, except at the end of an answer, and except
 * what the server has rejected.
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

  /** Learns which thinking the server rejects. */
  get adaptation(): Adaptation {
    return this.#refused;
  }

  /** Discards the cached conversion. */
  forget(): void {
    this.#history.forget();
  }

  #isSent(block: AssistantContent): boolean {
    if (block.type !== "thinking") return saysSomething(block);
    const mark = this.#form.markOf(block);
    return mark !== undefined && !this.#refused.has(mark);
  }
}
