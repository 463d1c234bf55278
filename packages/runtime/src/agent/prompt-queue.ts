import { Semaphore } from "@mdx-ai/base";
import type { UserInput } from "@mdx-ai/loop";
import type { UserMessage } from "@mdx-ai/models";
import type { Inbox, OpenedSession } from "@mdx-ai/sessions";
import { AgentClosedError } from "../agent-closed-error.ts";
import type { ActivePrompt } from "../types/session.ts";

/** A prompt of this process that waits or runs. */
export interface QueuedPrompt {
  /** The input as the user wrote it. */
  readonly input: WrittenInput;
  readonly controller: AbortController;
  hasBegun: boolean;
  /** Whether its input was removed from disk, so that it must not begin. */
  isWithdrawn: boolean;
  /** Whether its last event was reported. */
  hasEnded: boolean;
  /** Resolves when it has ended, or was cancelled and removed. Never rejects. */
  done: Promise<void>;
  /** Removes its input from disk, unless it has begun. Rejects with `JournalError`; then it may be called again. */
  withdraw: () => Promise<void>;
  /** Resolves when its input is on disk. Rejects if that fails. */
  readonly kept: PromiseWithResolvers<void>;
}

/** An input as the user wrote it. */
export type WrittenInput = Pick<UserInput, "text" | "images">;

/** A queued input in the journal. */
export interface KeptInput extends UserInput {
  /** Its number in the session's queue. */
  readonly queued: number;
}

export interface PromptQueueOptions {
  /** Limits how many sessions of the agent run concurrently. */
  readonly slots: Semaphore;
  /** Fires when the agent is closed. */
  readonly closing: AbortSignal;
  /** Returns the session, opening it if needed. */
  readonly open: () => OpenedSession;
}

/** A prompt as it is submitted. */
interface WaitingPrompt {
  /** Unique within the session. */
  readonly id: string;
  readonly input: WrittenInput;
  /** Cancels the prompt. */
  readonly signal: AbortSignal;
  /** Returns the input to write to disk while the prompt waits. Absent: it is kept in memory only. */
  readonly kept?: (() => Promise<UserInput>) | undefined;
}

/**
 * The prompts of a session that wait or run in this process. One runs at a time; the others wait in order, on disk if
 * they must survive the process. Further input for the running prompt goes to its inbox.
 */
export class PromptQueue {
  readonly #options: PromptQueueOptions;
  readonly #turn = new Semaphore();
  readonly #prompts = new Map<string, QueuedPrompt>();
  #inbox: Inbox | undefined;

  constructor(options: PromptQueueOptions) {
    this.#options = options;
  }

  /** Whether prompts run or wait. */
  get hasPrompts(): boolean {
    return this.#prompts.size > 0;
  }

  /** Whether any work runs or waits. */
  get isBusy(): boolean {
    return this.hasPrompts || this.#turn.isBusy;
  }

  /** The prompts of this process, in order. */
  get prompts(): readonly ActivePrompt[] {
    const active = [...this.#prompts].filter(([, { hasEnded }]) => !hasEnded);
    return active.map(([id, { input, hasBegun }]) => ({
      id,
      text: input.text,
      state: hasBegun ? "running" : "queued",
    }));
  }

  /** Call it when the running prompt has reported its end. */
  endRunning(): void {
    for (const prompt of this.#prompts.values()) prompt.hasEnded = prompt.hasBegun;
  }

  get(id: string): QueuedPrompt | undefined {
    return this.#prompts.get(id);
  }

  /**
   * Registers a prompt while `work` runs; `work` itself waits for its turn. Rejects as `work` does. `signal` fires when the prompt is
   * cancelled. If the prompt never begins, its input is removed from disk.
   */
  add(
    { id, input: written, signal: stop, kept }: WaitingPrompt,
    work: (prompt: QueuedPrompt, signal: AbortSignal, kept: Promise<KeptInput> | undefined) => Promise<void>,
  ): Promise<void> {
    return this.track({ id, input: written }, async (prompt) => {
      const signal = AbortSignal.any([stop, prompt.controller.signal]);
      const keeping = kept && this.#keep(id, kept);
      keeping?.then(
        () => prompt.kept.resolve(),
        (error: unknown) => {
          prompt.kept.reject(error);
          // It does not wait for its turn, so that it may be submitted again.
          prompt.controller.abort();
        },
      );
      prompt.withdraw = this.#withdrawal(prompt, keeping);
      try {
        await work(prompt, signal, keeping);
      } finally {
        // What was kept is reported as kept, also if the agent is closed meanwhile.
        await keeping?.catch(() => {});
        // Prompts stopped by closing the agent stay in the queue; cancelled ones do not.
        if (signal.aborted) await prompt.withdraw();
      }
      await keeping;
    });
  }

  /** Registers a prompt, so that it can be cancelled, while `work` runs. Rejects as `work` does. */
  track(
    { id, input }: Pick<WaitingPrompt, "id" | "input">,
    work: (prompt: QueuedPrompt) => Promise<void>,
  ): Promise<void> {
    const kept = Promise.withResolvers<void>();
    // It may reject before it is awaited.
    kept.promise.catch(() => {});
    const prompt: QueuedPrompt = {
      ...{ input, controller: new AbortController(), hasBegun: false, isWithdrawn: false, hasEnded: false },
      ...{ done: Promise.resolve(), kept, withdraw: async () => {} },
    };
    this.#prompts.set(id, prompt);
    const working = work(prompt).finally(() => this.#prompts.delete(id));
    prompt.done = working.then(kept.resolve, kept.reject);
    return working;
  }

  /** Whether the next prompt has to wait for others in this process. */
  get mustWait(): boolean {
    return this.#turn.isBusy || this.#options.slots.isBusy;
  }

  /** Runs `work` while no prompt of the session runs. Rejects as it does, and with `AgentClosedError` if it never begins. */
  async alone(work: () => Promise<void>): Promise<void> {
    let hasBegun = false;
    await this.#turn.runUnlessAborted(this.#options.closing, async () => {
      hasBegun = true;
      await work();
    });
    if (!hasBegun) throw new AgentClosedError();
  }

  /**
   * Runs `work` when no other work of the session runs and the agent has a free slot. If `signal` fires before, nothing runs. `work`
   * resolves to whether it has begun. Work that yields lets all other work go first. Rejects as it does, and with `AgentClosedError` if the
   * agent is closed before it begins.
   */
  async takeTurn(
    { signal, yields }: { readonly signal: AbortSignal; readonly yields: boolean },
    work: (stop: AbortSignal) => Promise<boolean>,
  ): Promise<void> {
    const { closing, slots } = this.#options;
    if (closing.aborted) throw new AgentClosedError();
    const stop = AbortSignal.any([closing, signal]);
    const order = { yields };
    const hasBegun = await this.#turn.runUnlessAborted(
      stop,
      () => slots.runUnlessAborted(stop, () => work(stop), order),
      order,
    );
    // A prompt stopped by the close reports that by an event; one that never began rejects.
    if (hasBegun !== true && closing.aborted) throw new AgentClosedError();
  }

  /**
   * Cancels a prompt. Resolves when it is removed from the queue, or at once if it runs; to false if there is none. Rejects with `JournalError`
   * if its input cannot be removed from disk; then it stays in the queue.
   */
  async cancel(id: string): Promise<boolean> {
    const prompt = this.#prompts.get(id);
    if (prompt === undefined) return false;
    await prompt.withdraw();
    prompt.controller.abort();
    if (!prompt.hasBegun) await prompt.done;
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

  /** Adds messages to the running prompt. Resolves when they are on disk, or to false if no running prompt accepts them. */
  async steer(...messages: readonly UserMessage[]): Promise<boolean> {
    return this.#inbox?.accept(...messages) ?? false;
  }

  /** Resolves when no work runs or waits. */
  async settled(): Promise<void> {
    await this.#turn.settled();
    await Promise.all([...this.#prompts.values()].map(({ done }) => done));
  }

  #withdrawal(prompt: QueuedPrompt, keeping: Promise<KeptInput> | undefined): () => Promise<void> {
    return async () => {
      const input = await keeping?.catch(() => undefined);
      if (input === undefined || prompt.hasBegun || prompt.isWithdrawn) return;
      prompt.isWithdrawn = true;
      try {
        await this.#options.open().dequeue(input.queued);
      } catch (error) {
        prompt.isWithdrawn = false;
        throw error;
      }
    };
  }

  async #keep(id: string, expand: () => Promise<UserInput>): Promise<KeptInput> {
    const input = await expand();
    const queued = await this.#options.open().enqueue(input, id);
    return { ...input, queued };
  }
}
