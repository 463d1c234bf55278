import { Semaphore } from "@mdx-ai/base";
import type { UserMessage } from "@mdx-ai/models";
import type { Inbox } from "../hosts/inbox.ts";

/** A prompt of this process that waits or runs. */
export interface QueuedPrompt {
  readonly controller: AbortController;
  hasBegun: boolean;
  /** Resolves when it has ended, or was cancelled and taken back. Never rejects. */
  done: Promise<void>;
  /** Resolves when its input is on disk. Rejects if that fails. */
  readonly kept: PromiseWithResolvers<void>;
}

/** The prompts of a session that wait or run in this process: one runs at a time, and the others wait in their order. */
export class PromptQueue {
  readonly #turn = new Semaphore();
  readonly #prompts = new Map<string, QueuedPrompt>();
  #inbox: Inbox | undefined;

  /** Whether prompts run or wait. */
  get hasPrompts(): boolean {
    return this.#prompts.size > 0;
  }

  /** Whether the next prompt has to wait. */
  get isBusy(): boolean {
    return this.#turn.isBusy;
  }

  get(id: string): QueuedPrompt | undefined {
    return this.#prompts.get(id);
  }

  /** Holds a prompt while `work` waits for its turn and runs it. Rejects as `work` does. */
  add(id: string, work: (queued: QueuedPrompt) => Promise<void>): Promise<void> {
    const kept = Promise.withResolvers<void>();
    // It may fail before it is awaited.
    kept.promise.catch(() => {});
    const queued: QueuedPrompt = { controller: new AbortController(), hasBegun: false, done: Promise.resolve(), kept };
    this.#prompts.set(id, queued);
    const working = work(queued).finally(() => this.#prompts.delete(id));
    queued.done = working.then(kept.resolve, kept.reject);
    return working;
  }

  /** Runs `work` when nothing else runs, unless `signal` fires before: then nothing runs. Rejects as `work` does. */
  async takeTurn(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    await this.#turn.runUnlessAborted(signal, work);
  }

  /** Resolves when a prompt that waited is taken back, or at once if it runs; to false if there is none. */
  async cancel(id: string): Promise<boolean> {
    const queued = this.#prompts.get(id);
    if (queued === undefined) return false;
    queued.controller.abort();
    if (!queued.hasBegun) await queued.done;
    return true;
  }

  /** Gives the running prompt an inbox while `work` runs it. Rejects as `work` does. */
  async withInbox(work: (onInbox: (inbox: Inbox) => void) => Promise<void>): Promise<void> {
    try {
      await work((inbox) => {
        this.#inbox = inbox;
      });
    } finally {
      this.#inbox = undefined;
    }
  }

  /** Adds messages to the running prompt. Resolves when they are on disk, or to false if no prompt runs that takes them. */
  async steer(...messages: readonly UserMessage[]): Promise<boolean> {
    return this.#inbox?.accept(...messages) ?? false;
  }

  /** Resolves when nothing runs or waits. */
  async settled(): Promise<void> {
    await this.#turn.settled();
    await Promise.all([...this.#prompts.values()].map(({ done }) => done));
  }
}
