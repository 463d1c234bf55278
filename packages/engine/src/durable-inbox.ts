import { type HostInbox, isDelivery, STEPS } from "@mdx-ai/loop";
import type { UserMessage } from "@mdx-ai/models";
import { typedText } from "@mdx-ai/models/typed-words";
import type { PromptInbox } from "./prompt-inbox.ts";
import type { StepBatches } from "./step-batches.ts";

/** Names the texts that came too late, which are no step of the journal. */
export const CLOSE = "inbox:close";

export interface DurableInboxParts {
  readonly received: PromptInbox;
  readonly batches: StepBatches;
  /** Fires when the prompt is stopped: nothing is delivered any more. */
  readonly stopped: AbortSignal;
  /** Receives what is taken outside of a batch, which cannot note it. */
  readonly onTaken: (step: string, result: unknown) => void;
}

/** The inbox as the loop sees it. Input comes at any moment, so what a batch has seen of it belongs to that batch: a repetition sees the same. */
export class DurableInbox implements HostInbox {
  readonly #parts: DurableInboxParts;

  constructor(parts: DurableInboxParts) {
    this.#parts = parts;
  }

  async take(turn: number): Promise<readonly UserMessage[]> {
    const { received, batches, stopped, onTaken } = this.#parts;
    await batches.makeRoom(false);
    const upTo = stopped.aborted ? undefined : received.news;
    const name = STEPS.deliver.name(turn);
    const delivery = batches.note(name, upTo === undefined ? null : { upTo });
    if (!isDelivery(delivery)) return [];
    if (!batches.isOpen) onTaken(name, delivery);
    return received.take(delivery.upTo);
  }

  async close(): Promise<readonly string[]> {
    const { received, batches } = this.#parts;
    await batches.makeRoom(false);
    const waiting = received.undelivered.filter(({ origin }) => origin === undefined);
    const texts = batches.note(CLOSE, waiting.map(typedText));
    return Array.isArray(texts) ? texts.map(String) : [];
  }
}
