import { abortOf, type Clock, untilAborted } from "@mdx-ai/base";
import {
  type AgentEvent,
  type Answer,
  CompletionOrder,
  type Host,
  type HostInbox,
  onceEach,
  type Question,
  STEPS,
  type Step,
  type StepContext,
  type StepOptions,
  type Wait,
  type Waiting,
} from "@mdx-ai/loop";
import type { UserMessage } from "@mdx-ai/models";
import { JOURNAL_VERSION, type Journal, JournalError, type JournalLine, resultLine } from "../journal/journal.ts";
import type { Inbox, JournaledPrompt } from "./inbox.ts";
import { JournaledResults } from "./journaled-results.ts";
import { StepGate } from "./step-gate.ts";

export interface LocalHostOptions extends JournaledPrompt {
  readonly clock: Clock;
  /** Cancels the prompt. */
  readonly signal: AbortSignal;
  /**
   * Stops the work like an exit of the process: running steps are aborted, nothing more is journaled, and steps reject with
   * its reason. A prompt that was cancelled before still reaches its end.
   */
  readonly closing: AbortSignal;
  /** Counts running steps, and makes further ones wait for `closing`. */
  readonly gate?: StepGate;
  readonly inbox: Inbox;
  /** Resolves when no input is expected before the prompt ends. Never rejects. */
  expected?(): Promise<void>;
  /** Waits for the user's answer. Never rejects; a cancelled prompt answers "no", by "stop". */
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
  emit(event: AgentEvent): void;
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

/** The host of one prompt on one machine: a step is a line appended to the session's journal. */
export class LocalHost implements Host, Disposable {
  readonly #options: LocalHostOptions;
  readonly #steps: JournaledSteps;
  readonly #deadline = new AbortController();
  readonly #signal: AbortSignal;
  readonly #completions = new CompletionOrder();
  readonly emit: Host["emit"];
  readonly inbox: HostInbox;
  #disarm: (() => void) | undefined;
  /** The deadline that the timer waits for. */
  #armed: number | undefined;

  constructor(options: LocalHostOptions) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, options.closing, this.#deadline.signal]);
    this.#steps = new JournaledSteps(options, this.#signal);
    this.emit = onceEach(options.emit);
    this.inbox = {
      take: (turn, isLast) => this.#take(turn, isLast),
      close: async () => options.inbox.close(),
    };
  }

  [Symbol.dispose](): void {
    this.#disarm?.();
  }

  readonly step: Step = (name, run, options) => {
    if (options.deadline !== undefined && !this.#steps.has(name)) this.#arm(options.deadline);
    return this.#completions.watch(this.#steps.step(name, run, options));
  };

  ask(name: string, question: Question): Promise<Answer> {
    // The time of a person does not count: the next step has a later deadline.
    this.#arm(undefined);
    const ask = (): Promise<Answer> => this.#options.ask(question, this.#signal);
    // A person may answer much later: the close of the agent does not wait for it.
    const waiting = (): Promise<Answer> => this.#steps.paused(ask);
    const options = { accepts: STEPS.answer.accepts, effect: "outside" } as const;
    return this.#completions.watch(this.#steps.step(name, waiting, options));
  }

  inOrder<Result>(started: readonly Promise<Result>[]): AsyncIterable<readonly [index: number, result: Result]> {
    return this.#completions.inOrder(started);
  }

  /** The time is journaled when the wait begins, so that a wait continues after a crash. */
  async sleep(name: string, milliseconds: number): Promise<void> {
    const { clock } = this.#options;
    const begin = async (): Promise<Wait> => ({ delay: milliseconds, until: clock.now() + milliseconds });
    const { until } = await this.#steps.step(name, begin, { accepts: STEPS.retry.accepts, effect: "none" });
    if (!this.#steps.isRepeating) await this.#until(until - clock.now());
  }

  async #take(turn: number, isLast = false): Promise<readonly UserMessage[]> {
    const { inbox, expected } = this.#options;
    if (!this.#steps.isRepeating) {
      if (isLast && expected) await untilAborted(expected, this.#signal, () => {});
      return this.#signal.aborted ? [] : inbox.deliver(turn);
    }
    const name = STEPS.deliver.name(turn);
    // An empty delivery is not journaled. Later decisions do not depend on it.
    if (!this.#steps.has(name)) return [];
    await this.#steps.step(name, neverDrawn, { accepts: STEPS.deliver.accepts });
    return inbox.journaled(turn) ?? [];
  }

  #arm(deadline: number | undefined): void {
    if (deadline === this.#armed) return;
    const { clock } = this.#options;
    this.#disarm?.();
    this.#armed = deadline;
    this.#disarm =
      deadline === undefined
        ? undefined
        : clock.after(Math.max(0, deadline - clock.now()), () => this.#deadline.abort());
  }

  #until(milliseconds: number): Promise<void> {
    if (this.#signal.aborted || milliseconds <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel();
        this.#signal.removeEventListener("abort", wake);
        resolve();
      };
      const cancel = this.#options.clock.after(milliseconds, wake);
      this.#signal.addEventListener("abort", wake, { once: true });
    });
  }
}

/** Steps whose results are lines of a journal. */
class JournaledSteps {
  readonly #journal: Journal;
  readonly #prompt: number;
  readonly #journaled: JournaledResults;
  readonly #context: StepContext;
  readonly #requireOpen: () => void;
  readonly #gate: StepGate;

  constructor(options: LocalHostOptions, signal: AbortSignal) {
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

async function neverDrawn(): Promise<never> {
  throw new Error("a delivery is drawn by the inbox");
}
