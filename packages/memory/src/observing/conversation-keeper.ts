import { rmSync } from "node:fs";
import { join } from "node:path";
import { failureOf } from "@mdx-ai/base";
import type { ChatMessage } from "../agent/chat-message.ts";
import type { MemoryAgent } from "../agent/memory-agent.ts";
import { MemoryInvoker } from "../agent/memory-invoker.ts";
import { MemoryAgentError } from "../agent/protocol.ts";
import { threadFileName } from "../agent/thread-journal.ts";
import { PendingMessages } from "./pending-messages.ts";

/** A lock on a thread. */
export interface ThreadLock {
  release(): void;
}

export interface ConversationKeeperOptions {
  /** The folder of pending messages and thread journals. Absolute. */
  readonly folder: string;
  /** Opens the memory agent on first use, with journals in `threads/` of the folder. The agent aborts when the signal fires. */
  readonly openAgent: (signal: AbortSignal) => Promise<MemoryAgent>;
  /** Locks a path; undefined if another process has the lock. */
  readonly lock: (path: string) => ThreadLock | undefined;
  /** Redacts a text before it is written. */
  readonly redact: (text: string) => string;
  /** Receives each problem as one line, once. */
  readonly onWarning: (message: string) => void;
}

/**
 * Milliseconds before a failed attempt is repeated: the first and the longest wait. Also the wait for a thread that another process has
 * locked.
 */
const FIRST_WAIT = 5_000;
const MAX_WAIT = 300_000;
const HELD_WAIT = 500;

/**
 * Stores conversations in the background: messages are flushed at once and processed one after another. The next process finishes what one
 * leaves. Never delays its caller or rejects.
 */
export class ConversationKeeper {
  readonly #options: ConversationKeeperOptions;
  readonly #pending: PendingMessages;
  readonly #stop = new AbortController();
  readonly #locks = new Map<string, ThreadLock>();
  /** Threads of this process whose session is open. */
  readonly #open = new Set<string>();
  readonly #waiting = new Set<string>();
  readonly #warned = new Set<string>();
  #agent: Promise<Remembering> | undefined;
  #running: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wait = FIRST_WAIT;
  #isClosing = false;

  constructor(options: ConversationKeeperOptions) {
    this.#options = options;
    this.#pending = new PendingMessages(join(options.folder, "pending"));
  }

  /** Starts to process messages that earlier processes left, unless another process does. */
  start(): void {
    for (const threadId of this.#safely(() => this.#pending.threads()) ?? []) this.#waiting.add(threadId);
    this.#work();
  }

  /** Queues messages of a thread; their numbers increase. They are flushed when this returns, or a warning says why not. */
  observe(threadId: string, number: number, messages: readonly ChatMessage[]): void {
    const { redact } = this.#options;
    const kept = messages.map((message) => ({ ...message, content: redact(message.content) }));
    const isKept = this.#safely(() => {
      this.#pending.add(threadId, number, kept);
      return true;
    });
    if (!isKept || this.#isClosing) return;
    this.#open.add(threadId);
    this.#waiting.add(threadId);
    this.#work();
  }

  /** Queues the end of a thread's session. */
  end(threadId: string): void {
    if (!this.#open.delete(threadId)) return;
    this.#waiting.add(threadId);
    this.#work();
  }

  /** Ends all sessions of this process, until the signal fires. The next process finishes the rest. */
  async close(signal: AbortSignal): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    for (const threadId of [...this.#open]) this.end(threadId);
    const stop = (): void => this.#stop.abort();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    this.#work();
    while (this.#running) await this.#running;
    signal.removeEventListener("abort", stop);
    const agent = await this.#agent?.catch(() => undefined);
    await agent?.agent.close();
    for (const lock of this.#locks.values()) lock.release();
    this.#locks.clear();
  }

  #work(): void {
    if (this.#running || this.#waiting.size === 0 || this.#stop.signal.aborted) return;
    if (this.#timer !== undefined && !this.#isClosing) return;
    this.#running = this.#drainAll().finally(() => {
      this.#running = undefined;
      if (this.#isClosing) this.#work();
    });
  }

  async #drainAll(): Promise<void> {
    for (;;) {
      const [threadId] = this.#waiting;
      if (threadId === undefined || this.#stop.signal.aborted) return;
      this.#waiting.delete(threadId);
      try {
        await this.#drain(threadId);
        this.#wait = FIRST_WAIT;
      } catch (error) {
        if (!this.#stop.signal.aborted) this.#warn(error);
        this.#later(threadId, this.#wait);
        this.#wait = Math.min(2 * this.#wait, MAX_WAIT);
        if (!this.#isClosing) return;
      }
    }
  }

  /** Retries a thread later. Does not keep the process alive. */
  #later(threadId: string, milliseconds: number): void {
    if (this.#isClosing) return;
    this.#waiting.add(threadId);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#work();
    }, milliseconds);
    this.#timer.unref();
  }

  async #drain(threadId: string): Promise<void> {
    if (!this.#hold(threadId)) {
      // Threads of this process are its work alone. Leave others to the process that has them locked.
      if (this.#open.has(threadId)) this.#later(threadId, HELD_WAIT);
      return;
    }
    const { agent, invoker } = await this.#remembering();
    for (let batch = this.#pending.first(threadId); batch; batch = this.#pending.first(threadId)) {
      for (const message of batch.messages) await this.#process(message, threadId, { agent, invoker });
      batch.remove();
    }
    if (this.#open.has(threadId)) return;
    if ((await agent.progress(threadId)).isOpen) await this.#unlessRefused(() => invoker.endSession(threadId));
    await agent.release(threadId);
    // The store has everything now, and forgotten entries must not stay here. The folder is removed last, so that after a crash the next
    // process returns to the thread.
    rmSync(join(this.#options.folder, "threads", threadFileName(threadId)), { force: true });
    if (!this.#pending.finish(threadId)) this.#waiting.add(threadId);
    this.#locks.get(threadId)?.release();
    this.#locks.delete(threadId);
  }

  async #process(message: ChatMessage, threadId: string, { agent, invoker }: Remembering): Promise<void> {
    if (!(await agent.progress(threadId)).isOpen) await invoker.startSession(threadId);
    const { role, content, ...details } = message;
    await this.#unlessRefused(() => invoker.processConversationMessage(role, content, threadId, details));
  }

  /** Turns a refusal of the model into a warning, without a retry. */
  async #unlessRefused(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof MemoryAgentError)) throw error;
      this.#warn(error);
    }
  }

  #hold(threadId: string): boolean {
    if (this.#locks.has(threadId)) return true;
    const lock = this.#options.lock(join(this.#options.folder, `${threadId}.lock`));
    if (lock) this.#locks.set(threadId, lock);
    return lock !== undefined;
  }

  async #remembering(): Promise<Remembering> {
    this.#agent ??= this.#options.openAgent(this.#stop.signal).then((agent) => ({
      agent,
      invoker: new MemoryInvoker(agent),
    }));
    this.#agent.catch(() => {
      this.#agent = undefined;
    });
    return this.#agent;
  }

  #safely<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      this.#warn(error);
      return undefined;
    }
  }

  #warn(error: unknown): void {
    const message = `not remembered: ${failureOf(`cannot write in ${this.#options.folder}`, error)}`;
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#options.onWarning(message);
  }
}

interface Remembering {
  readonly agent: MemoryAgent;
  readonly invoker: MemoryInvoker;
}
