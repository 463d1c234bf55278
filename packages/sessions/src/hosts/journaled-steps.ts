import { abortOf } from "@mdx-ai/base";
import type { Step, StepContext, StepOptions, Waiting } from "@mdx-ai/loop";
import { JOURNAL_VERSION, type Journal, JournalError, type JournalLine, resultLine } from "../journal/journal.ts";
import type { JournaledPrompt } from "./inbox.ts";
import { JournaledResults } from "./journaled-results.ts";

/** The prompt of the steps, and what ends them. */
export interface JournaledStepsOptions extends JournaledPrompt {
  /** Cancels the prompt. */
  readonly signal: AbortSignal;
  /**
   * Stops the work like an exit of the process: running steps are aborted, nothing more is journaled, and steps reject with
   * its reason. A prompt that was cancelled before still reaches its end.
   */
  readonly closing: AbortSignal;
  /** Counts running steps, and makes further ones wait for `closing`. */
  readonly gate?: StepGate;
}

/** Steps whose results are lines of a journal. */
export class JournaledSteps {
  readonly #journal: Journal;
  readonly #prompt: number;
  readonly #journaled: JournaledResults;
  readonly #context: StepContext;
  readonly #requireOpen: () => void;
  readonly #gate: StepGate;

  constructor(options: JournaledStepsOptions, signal: AbortSignal) {
    const { journal, prompt, journaled, signal: cancel, closing, gate = new StepGate() } = options;
    this.#gate = gate;
    this.#journal = journal;
    this.#prompt = prompt;
    this.#journaled = new JournaledResults(journaled);
    this.#context = { signal };
    this.#requireOpen = () => {
      if (!cancel.aborted) closing.throwIfAborted();
    };
  }

  /** Whether journaled results remain. */
  get isRepeating(): boolean {
    return this.#journaled.hasMore;
  }

  has(name: string): boolean {
    return this.#journaled.has(name);
  }

  async step<Result>(
    name: string,
    run: (context: StepContext) => Promise<Result>,
    options: StepOptions<Result>,
  ): Promise<Result> {
    this.#requireOpen();
    if (this.#journaled.has(name)) {
      const journaled = await this.#journaled.take(name);
      if (options.accepts(journaled)) return journaled;
      throw new JournalError(
        `the journal holds a result of step ${name} of prompt ${this.#prompt} that cannot be read`,
      );
    }
    if (this.#journaled.hasMore) await this.#journaled.idle();
    if (this.#gate.isClosed) {
      await abortOf(this.#context.signal);
      this.#requireOpen();
    }
    this.#gate.enter();
    try {
      return await this.#run(name, run, options);
    } finally {
      this.#gate.leave();
    }
  }

  /** Begins to bring what is journaled to the disk, before a step has to wait for it: that step reports a failure. */
  save(): void {
    this.#journal.sync().catch(() => {});
  }

  /** Waits for a person within a step. */
  async paused<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.#gate.leave();
    try {
      return await wait();
    } finally {
      this.#gate.enter();
    }
  }

  async #run<Result>(
    name: string,
    run: (context: StepContext) => Promise<Result>,
    options: StepOptions<Result>,
  ): Promise<Result> {
    const { interrupted } = options;
    const isInterrupted = interrupted !== undefined && this.#journaled.wasStarted(name);
    if (interrupted && !isInterrupted) {
      this.#mark(name, true);
    }
    if (options.effect !== "none") {
      // One turn of the microtask queue: steps that begin together append their markers first and share one sync.
      await null;
      const synced = this.#journal.sync();
      if (!isInterrupted && !this.#context.signal.aborted) options.prepare?.(this.#context);
      await synced;
    }
    const context = interrupted ? { ...this.#context, waiting: this.#waiting(name) } : this.#context;
    const result = isInterrupted ? interrupted() : await run(context);
    this.#requireOpen();
    this.#journal.append(resultLine(this.#prompt, name, result));
    return result;
  }

  /** Waits of a step may overlap. After the first answer the step must not run again. */
  #waiting(name: string): Waiting {
    let waits = 0;
    return async (wait) => {
      this.#requireOpen();
      waits += 1;
      if (waits === 1) {
        this.#mark(name, false);
        this.#gate.leave();
      }
      try {
        return await wait();
      } finally {
        waits -= 1;
        if (waits === 0) this.#gate.enter();
        this.#requireOpen();
        // From here on the tool uses the answer.
        this.#mark(name, true);
        await this.#journal.sync();
      }
    };
  }

  #mark(step: string, started: boolean): void {
    this.#journal.append({ v: JOURNAL_VERSION, prompt: this.#prompt, step, started });
  }
}

/** Runs session steps, which outlive prompts. Rejects as the steps of a prompt do. */
export function sessionStep(journal: Journal, journaled: readonly JournalLine[]): Step {
  const results = new Map<string, unknown>(
    journaled.flatMap((line) => ("result" in line ? [[line.step, line.result] as const] : [])),
  );
  const context: StepContext = { signal: new AbortController().signal };
  return async (step, run, options) => {
    const known = results.get(step);
    // An unreadable result, such as a rendered identity, is computed again.
    if (options.accepts(known)) return known;
    if (options.effect !== "none") await journal.sync();
    const result = await run(context);
    journal.append(resultLine(0, step, result));
    results.set(step, result);
    return result;
  };
}

/** Lets the running steps of an agent's prompts end before the agent is closed. */
export class StepGate {
  #running = 0;
  #isClosed = false;
  readonly #idle: PromiseWithResolvers<void> = Promise.withResolvers<void>();

  /** Whether further steps must wait for the close of the agent. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** No step begins from now on. Resolves when none runs. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#look();
    return this.#idle.promise;
  }

  /** A step begins. */
  enter(): void {
    this.#running += 1;
  }

  /** A step has ended, or begins to wait for a person. */
  leave(): void {
    this.#running -= 1;
    this.#look();
  }

  #look(): void {
    if (this.#isClosed && this.#running === 0) this.#idle.resolve();
  }
}
