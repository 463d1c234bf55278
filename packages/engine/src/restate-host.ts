import type { Redactor } from "@mdx-ai/base";
import {
  type AgentEvent,
  type Answer,
  CompletionOrder,
  type Host,
  type HostInbox,
  isPromptBegin,
  onceEach,
  type Question,
  readStep,
  STEPS,
  type Step,
  type StepContext,
  type StepKind,
  type StepOptions,
  type Wait,
  type Waiting,
} from "@mdx-ai/loop";
import { type JournalLine, type LocalHostOptions, resultLine } from "@mdx-ai/sessions";
import { type ObjectContext, type RestatePromise, TerminalError } from "@restatedev/restate-sdk";
import { CompletionPump } from "./completion-pump.ts";
import { CLOSE, DurableInbox } from "./durable-inbox.ts";
import { DurableSteps } from "./durable-steps.ts";
import type { LineBuffer } from "./line-buffer.ts";
import { PromptDeadline } from "./prompt-deadline.ts";
import { PromptInbox } from "./prompt-inbox.ts";
import { SIGNALS } from "./signals.ts";
import { linesOf, type Ran } from "./step-batch.ts";
import { StepBatches } from "./step-batches.ts";

/** What a host uses of the invocation that runs its prompt. */
type PromptContext = Pick<ObjectContext, "run" | "sleep" | "signal">;

export interface RestateHostOptions extends Pick<LocalHostOptions, "prompt" | "clock" | "closing" | "emit"> {
  readonly context: PromptContext;
  /** Fires when the attempt has ended: the prompt continues in another one. */
  readonly ended: AbortSignal;
  /** Receives the lines that a running step appends. */
  readonly journal: LineBuffer;
  readonly redactor: Redactor;
  /** Stores the lines of completed steps for readers; called before calls, questions and waits, and at the end. */
  store(lines: readonly JournalLine[]): void;
  /** Reports a question to where answers arrive. */
  ask(question: Question): void;
  /** Ends an attempt that only waits: the prompt continues in another one when what it waits for has come. */
  suspend(): void;
}

/** Milliseconds after which an attempt that only waits leaves the memory of its worker. */
const MAX_WAITING = 5_000;

/** The steps that the loop awaits one at a time. */
const ALONE: readonly StepKind[] = [
  "begin",
  "beforePrompt",
  "size",
  "compaction",
  "compactionRetry",
  "model",
  "retry",
  "policy",
  "afterTool",
  "afterPrompt",
  "end",
];

const STOPPED: Answer = { answer: "no", by: "stop" };

/** The host of one attempt of a prompt: a step is a durable step of Restate, and its line is stored for readers. */
export class RestateHost implements Host, Disposable {
  readonly #options: RestateHostOptions;
  readonly #pump: CompletionPump;
  readonly #completions = new CompletionOrder();
  readonly #durable: DurableSteps;
  readonly #received: PromptInbox;
  readonly #deadline: PromptDeadline;
  /** Fires when the prompt is cancelled or its deadline has passed. */
  readonly #stopped: AbortSignal;
  readonly #context: StepContext;
  /** The lines of completed steps that are not stored yet. */
  #lines: JournalLine[] = [];
  readonly #batches: StepBatches;
  /** The token of the last durable step. */
  #token = "";
  /** The events that follow from results that are not durable yet. */
  readonly #held: AgentEvent[] = [];
  #beganAt = 0;
  readonly #pass: (event: AgentEvent) => void;
  readonly inbox: HostInbox;

  constructor(options: RestateHostOptions) {
    const { context, ended, closing, clock, redactor, prompt } = options;
    this.#options = options;
    const over = AbortSignal.any([ended, closing]);
    const pump = new CompletionPump(over);
    this.#pump = pump;
    this.#durable = new DurableSteps({ context, pump, redactor, over });
    this.#batches = new StepBatches({
      journal: options.journal,
      run: (work) => this.#durable.run("steps", work),
      onDurable: (ran) => this.#took(ran),
    });
    this.#received = new PromptInbox({
      ...{ context, pump },
      onInput: (message, number) => this.#lines.push(resultLine(prompt, STEPS.steer.name(number), message)),
    });
    this.#deadline = new PromptDeadline({ context, pump, clock });
    this.#stopped = AbortSignal.any([this.#received.cancelled, this.#deadline.passed]);
    this.#context = { signal: AbortSignal.any([this.#stopped, over]) };
    this.#pass = onceEach(options.emit);
    this.inbox = new DurableInbox({
      ...{ received: this.#received, batches: this.#batches, stopped: this.#stopped },
      onTaken: (step, result) => this.#lines.push(resultLine(prompt, step, result)),
    });
  }

  [Symbol.dispose](): void {}

  /** How many messages the user has sent to the prompt, as far as it knows. */
  get steered(): number {
    return this.#received.count;
  }

  /** Whether the prompt was cancelled or is past its deadline. */
  get isStopped(): boolean {
    return this.#stopped.aborted;
  }

  /** Stores the lines of the last steps. */
  flush(): void {
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length > 0) this.#options.store(lines);
  }

  readonly emit = (event: AgentEvent): void => {
    const isHeld = event.id !== undefined && (this.#held.length > 0 || this.#batches.isHolding);
    if (isHeld) this.#held.push(event);
    else this.#pass(event);
  };

  readonly step: Step = (name, run, options) => this.#completions.watch(this.#step(name, run, options));

  async #step<Result>(
    name: string,
    run: (context: StepContext) => Promise<Result>,
    options: StepOptions<Result>,
  ): Promise<Result> {
    const { accepts, deadline } = options;
    if (deadline !== undefined && !this.#deadline.isCurrent(deadline)) {
      await this.#batches.settle();
      // A step beside this one may have started it.
      if (!this.#deadline.isCurrent(deadline)) await this.#deadline.start(deadline, this.#beganAt);
    }
    const isAlone = ALONE.includes(readStep(name).kind);
    const result = isAlone ? await this.#together(name, run, options) : await this.#single(name, run, options);
    if (!accepts(result)) throw new TerminalError(`step ${name} has a result that cannot be read`);
    if (isPromptBegin(result)) this.#beganAt = result.input.timestamp;
    // Nothing follows that would settle it.
    if (name === STEPS.end.name()) await this.#batches.settle();
    return result;
  }

  /** Runs a step together with those around it. */
  #together<Result>(
    name: string,
    run: (context: StepContext) => Promise<Result>,
    { effect }: StepOptions<Result>,
  ): Promise<unknown> {
    return this.#batches.step(name, effect !== "none", async () => {
      const result = await run(this.#context);
      this.#durable.requireOpen();
      return result;
    });
  }

  /** Takes the results of a batch, then reports what follows from them. */
  #took({ token, items }: Ran): void {
    this.#token = token;
    // Lines before the beginning may differ in this attempt; those of the first one count.
    this.#options.journal.take();
    for (const { name, result, lines = [] } of items) {
      this.#lines.push(...lines);
      if (isStored(name, result)) this.#lines.push(resultLine(this.#options.prompt, name, result));
    }
    for (const event of this.#held.splice(0)) this.#pass(event);
  }

  /** The time of a person does not count: the next step has a later deadline. */
  readonly #untimed: Waiting = (wait) => {
    this.#deadline.pause();
    return wait();
  };

  /** Runs a step beside others. One that must not run twice runs only in the attempt that ran the step before it. */
  async #single<Result>(
    name: string,
    run: (context: StepContext) => Promise<Result>,
    { interrupted }: StepOptions<Result>,
  ): Promise<unknown> {
    await this.#batches.settle();
    const { prompt, journal } = this.#options;
    const isLost = interrupted !== undefined && !this.#durable.hasRun(this.#token);
    if (interrupted) this.#lines.push({ v: 1, prompt, step: name, started: true });
    this.flush();
    const work = async (): Promise<Omit<Ran, "token">> => {
      const result = isLost ? interrupted() : await run({ ...this.#context, waiting: this.#untimed });
      return { items: [{ name, result: result ?? null, ...linesOf(journal) }] };
    };
    const { items, token } = await this.#durable.run(name, work);
    this.#token = token;
    const [item] = items;
    this.#lines.push(...(item?.lines ?? []), resultLine(prompt, name, item?.result));
    return item?.result;
  }

  async sleep(name: string, milliseconds: number): Promise<void> {
    const { clock, context } = this.#options;
    const begin = async (): Promise<Wait> => ({ delay: milliseconds, until: clock.now() + milliseconds });
    await this.#step(name, begin, { accepts: STEPS.retry.accepts, effect: "none" });
    await this.#batches.settle();
    if (this.#stopped.aborted) return;
    this.flush();
    await this.#wait(context.sleep(milliseconds, name));
  }

  /** Waits for what happens outside of the worker, or for the stop. */
  async #wait(operation: RestatePromise<unknown>): Promise<unknown> {
    const suspend = (): void => {
      if (!this.#durable.isRunning) this.#options.suspend();
    };
    const timer = setInterval(suspend, MAX_WAITING);
    try {
      return await this.#pump.wait(operation, this.#stopped);
    } finally {
      clearInterval(timer);
    }
  }

  ask(name: string, question: Question): Promise<Answer> {
    return this.#completions.watch(this.#ask(name, question));
  }

  async #ask(name: string, question: Question): Promise<Answer> {
    const answer = (await this.#answer(question)) ?? STOPPED;
    if (!STEPS.answer.accepts(answer)) throw new TerminalError(`the answer to question ${question.id} cannot be read`);
    this.#lines.push(resultLine(this.#options.prompt, name, answer));
    return answer;
  }

  async #answer(question: Question): Promise<unknown> {
    await this.#batches.settle();
    if (this.#stopped.aborted) return STOPPED;
    this.flush();
    this.#deadline.pause();
    this.#options.ask(question);
    const answered: RestatePromise<unknown> = this.#options.context.signal(SIGNALS.answer(question.id));
    return this.#wait(answered);
  }

  inOrder<Result>(started: readonly Promise<Result>[]): AsyncIterable<readonly [index: number, result: Result]> {
    return this.#completions.inOrder(started);
  }
}

/** Whether an item of a batch is a line of the journal. */
const isStored = (name: string, result: unknown): boolean => name !== CLOSE && result !== null;
