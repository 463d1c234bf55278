import { type Clock, untilAborted } from "@mdx-ai/base";
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
  type Wait,
  type Waiting,
} from "@mdx-ai/loop";
import type { UserMessage } from "@mdx-ai/models";
import type { Inbox } from "./inbox.ts";
import { JournaledSteps, type JournaledStepsOptions } from "./journaled-steps.ts";

export interface LocalHostOptions extends JournaledStepsOptions {
  readonly clock: Clock;
  readonly inbox: Inbox;
  /** Resolves when no input is expected before the prompt ends. Never rejects. */
  expected?(): Promise<void>;
  /** Waits for the user's answer. Never rejects; a cancelled prompt answers "no", by "stop". */
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
  emit(event: AgentEvent): void;
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
  /** How many steps wait for the user. While one does, no timer runs. */
  #waits = 0;
  /** When the timer began or stopped. */
  #since = 0;

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
    if (options.deadline === undefined) return this.#completions.watch(this.#steps.step(name, run, options));
    if (!this.#steps.has(name)) this.#arm(options.deadline);
    const timed = (context: StepContext): ReturnType<typeof run> =>
      run({ ...context, waiting: this.#untimed(context) });
    return this.#completions.watch(this.#steps.step(name, timed, options));
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
    const [last, ...others] = started;
    // The next request waits for what the last one has stored.
    if (others.length === 0)
      last?.then(
        () => this.#steps.save(),
        () => {},
      );
    return this.#completions.inOrder(started);
  }

  /** The time is journaled when the wait begins, so that a wait continues after a crash. */
  async sleep(name: string, milliseconds: number): Promise<void> {
    const { clock } = this.#options;
    const begin = async (): Promise<Wait> => ({ delay: milliseconds, until: clock.now() + milliseconds });
    const { delay, until } = await this.#steps.step(name, begin, { accepts: STEPS.retry.accepts, effect: "none" });
    // The clock may have been set back since.
    if (!this.#steps.isRepeating) await this.#until(Math.min(delay, until - clock.now()));
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

  /** Stops the timer while the user is asked within a step. Waits may overlap. */
  #untimed({ waiting = (wait) => wait() }: StepContext): Waiting {
    return async (wait) => {
      this.#waits += 1;
      if (this.#waits === 1) this.#time();
      try {
        return await waiting(wait);
      } finally {
        this.#waits -= 1;
        if (this.#waits === 0) {
          if (this.#armed !== undefined) this.#armed += this.#options.clock.now() - this.#since;
          this.#time();
        }
      }
    };
  }

  #arm(deadline: number | undefined): void {
    if (deadline === this.#armed) return;
    this.#armed = deadline;
    this.#time();
  }

  /** Starts the timer anew. */
  #time(): void {
    const { clock } = this.#options;
    this.#disarm?.();
    this.#disarm = undefined;
    this.#since = clock.now();
    if (this.#armed === undefined || this.#waits > 0) return;
    this.#disarm = clock.after(Math.max(0, this.#armed - this.#since), () => this.#deadline.abort());
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

async function neverDrawn(): Promise<never> {
  throw new Error("a delivery is drawn by the inbox");
}
