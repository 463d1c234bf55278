import type { Redactor } from "@mdx-ai/base";
import {
  type AgentEvent,
  type Answer,
  CompletionOrder,
  type Host,
  type HostInbox,
  isDelivery,
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
} from "@mdx-ai/loop";
import { isUserMessage, type UserMessage } from "@mdx-ai/models";
import { typedText } from "@mdx-ai/models/typed-words";
import { HostEndedError } from "@mdx-ai/runtime";
import { type JournalLine, type LocalHostOptions, resultLine } from "@mdx-ai/sessions";
import { type ObjectContext, type RestatePromise, RetryableError, TerminalError } from "@restatedev/restate-sdk";
import { CompletionPump } from "./completion-pump.ts";
import type { LineBuffer } from "./line-buffer.ts";
import { redactedJson } from "./redacted-json.ts";
import { isRan, linesOf, type Ran, StepBatch } from "./step-batch.ts";

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

/** The name of what is no step of the journal: the texts that came too late. */
const CLOSE = "inbox:close";

const STOPPED: Answer = { answer: "no", by: "stop" };

/** The signals of an invocation. */
export const SIGNALS = {
  cancel: "cancel",
  steer: (number: number): string => `steer:${number}`,
  answer: (question: string): string => `answer:${question}`,
} as const;

/** The host of one attempt of a prompt: a step is a durable step of Restate, and its line is stored for readers. */
export class RestateHost implements Host, Disposable {
  readonly #options: RestateHostOptions;
  readonly #pump: CompletionPump;
  readonly #completions = new CompletionOrder();
  readonly #stop = new AbortController();
  readonly #late = new AbortController();
  /** Fires when the prompt is cancelled or its deadline has passed. */
  readonly #stopped: AbortSignal;
  readonly #context: StepContext;
  /** The tokens of the durable steps that this attempt has run. */
  readonly #begun = new Set<string>();
  readonly #steered: UserMessage[] = [];
  /** The lines of completed steps that are not stored yet. */
  #lines: JournalLine[] = [];
  /** The steps that are not durable yet. */
  #batch: StepBatch | undefined;
  #settling: Promise<void> | undefined;
  /** The token of the last durable step. */
  #token = "";
  /** The events that follow from results that are not durable yet. */
  readonly #held: AgentEvent[] = [];
  /** How many durable steps run. */
  #running = 0;
  #delivered = 0;
  #beganAt = 0;
  /** The deadline that its timer waits for; undefined while the prompt waits for an answer. */
  #deadline: number | undefined;
  #hadDeadline = false;
  readonly #pass: (event: AgentEvent) => void;
  readonly inbox: HostInbox;

  constructor(options: RestateHostOptions) {
    const { context, ended, closing } = options;
    this.#options = options;
    const over = AbortSignal.any([ended, closing]);
    this.#pump = new CompletionPump(over);
    this.#stopped = AbortSignal.any([this.#stop.signal, this.#late.signal]);
    this.#context = { signal: AbortSignal.any([this.#stopped, over]) };
    this.#pass = onceEach(options.emit);
    this.inbox = { take: (turn) => this.#take(turn), close: () => this.#pendingInput() };
    this.#pump.watch(context.signal(SIGNALS.cancel), () => this.#stop.abort());
    this.#watchSteering();
  }

  [Symbol.dispose](): void {}

  /** How many messages the user has sent to the prompt, as far as it knows. */
  get steered(): number {
    return this.#steered.length;
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
    const isHeld = event.id !== undefined && (this.#held.length > 0 || this.#batch?.isHolding === true);
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
    if (deadline !== undefined && deadline !== this.#deadline) await this.#arm(deadline);
    const isAlone = ALONE.includes(readStep(name).kind);
    const result = isAlone ? await this.#together(name, run, options) : await this.#single(name, run, options);
    if (!accepts(result)) throw new TerminalError(`step ${name} has a result that cannot be read`);
    if (isPromptBegin(result)) this.#beganAt = result.input.timestamp;
    // Nothing follows that would settle it.
    if (name === STEPS.end.name()) await this.#settle();
    return result;
  }

  /** Runs a step in a batch. A batch with side effects ends before the next ones, so that none of them is repeated. */
  async #together<Result>(
    name: string,
    run: (context: StepContext) => Promise<Result>,
    { effect }: StepOptions<Result>,
  ): Promise<unknown> {
    const isOutside = effect !== "none";
    if (this.#batch?.canTake(isOutside) === false) await this.#settle();
    this.#batch ??= await this.#open();
    return this.#batch.step(name, isOutside, async () => {
      const result = await run(this.#context);
      this.#requireOpen();
      return result;
    });
  }

  #requireOpen(): void {
    const { ended, closing } = this.#options;
    if (ended.aborted || closing.aborted) throw new HostEndedError("the attempt has ended");
  }

  async #open(): Promise<StepBatch> {
    const batch = new StepBatch(this.#options.journal);
    await batch.open((work) => this.#run("steps", work));
    return batch;
  }

  /** Waits until the results of the open batch are durable, then reports what follows from them. */
  #settle(): Promise<void> {
    if (this.#settling === undefined && this.#batch !== undefined)
      this.#settling = this.#settled(this.#batch).finally(() => {
        this.#settling = undefined;
      });
    return this.#settling ?? Promise.resolve();
  }

  async #settled(batch: StepBatch): Promise<void> {
    const { token, items } = await batch.close();
    this.#batch = undefined;
    this.#token = token;
    // Lines before the beginning may differ in this attempt; those of the first one count.
    this.#options.journal.take();
    for (const { name, result, lines = [] } of items) {
      this.#lines.push(...lines);
      if (isStored(name, result)) this.#lines.push(resultLine(this.#options.prompt, name, result));
    }
    for (const event of this.#held.splice(0)) this.#pass(event);
  }

  /** Runs a step beside others. One that must not run twice runs only in the attempt that ran the step before it. */
  async #single<Result>(
    name: string,
    run: (context: StepContext) => Promise<Result>,
    { interrupted }: StepOptions<Result>,
  ): Promise<unknown> {
    await this.#settle();
    const { prompt, journal } = this.#options;
    const isLost = interrupted !== undefined && !this.#begun.has(this.#token);
    if (interrupted) this.#lines.push({ v: 1, prompt, step: name, started: true });
    this.flush();
    const work = async (): Promise<Omit<Ran, "token">> => {
      const result = isLost ? interrupted() : await run(this.#context);
      return { items: [{ name, result: result ?? null, ...linesOf(journal) }] };
    };
    const { items, token } = await this.#run(name, work);
    this.#token = token;
    const [item] = items;
    this.#lines.push(...(item?.lines ?? []), resultLine(prompt, name, item?.result));
    return item?.result;
  }

  /** A token that this attempt alone knows. */
  #mark(): string {
    const token = crypto.randomUUID();
    this.#begun.add(token);
    return token;
  }

  /** Runs work as a durable step. Whatever it throws is final, unless the attempt has ended meanwhile. */
  async #run(name: string, work: () => Promise<Omit<Ran, "token">>): Promise<Ran> {
    const { context, redactor, ended, closing } = this.#options;
    const durable = async (): Promise<Ran> => {
      this.#running++;
      try {
        const ran = await work();
        this.#requireOpen();
        return { ...ran, token: this.#mark() };
      } catch (error) {
        if (ended.aborted || closing.aborted) throw new RetryableError("the worker stops", { cause: error });
        throw error instanceof TerminalError ? error : new TerminalError(String(error));
      } finally {
        this.#running--;
      }
    };
    const ran = await this.#pump.wait<unknown>(context.run<unknown>(name, durable, { serde: redactedJson(redactor) }));
    if (!isRan(ran)) throw new TerminalError(`step ${name} has a result that cannot be read`);
    return ran;
  }

  async sleep(name: string, milliseconds: number): Promise<void> {
    const { clock, context } = this.#options;
    const begin = async (): Promise<Wait> => ({ delay: milliseconds, until: clock.now() + milliseconds });
    await this.#step(name, begin, { accepts: STEPS.retry.accepts, effect: "none" });
    await this.#settle();
    if (this.#stopped.aborted) return;
    this.flush();
    await this.#wait(context.sleep(milliseconds, name));
  }

  /** Waits for what happens outside of the worker, or for the stop. */
  async #wait(operation: RestatePromise<unknown>): Promise<unknown> {
    const suspend = (): void => {
      if (this.#running === 0) this.#options.suspend();
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
    await this.#settle();
    if (this.#stopped.aborted) return STOPPED;
    this.flush();
    // The time of a person does not count: the next step has a later deadline.
    this.#deadline = undefined;
    this.#options.ask(question);
    const answered: RestatePromise<unknown> = this.#options.context.signal(SIGNALS.answer(question.id));
    return this.#wait(answered);
  }

  inOrder<Result>(started: readonly Promise<Result>[]): AsyncIterable<readonly [index: number, result: Result]> {
    return this.#completions.inOrder(started);
  }

  #watchSteering(): void {
    const { context } = this.#options;
    this.#pump.watch<unknown>(context.signal(SIGNALS.steer(this.#steered.length + 1)), (message) => {
      if (!isUserMessage(message)) return;
      this.#steered.push(message);
      this.#lines.push(resultLine(this.#options.prompt, STEPS.steer.name(this.#steered.length), message));
      this.#watchSteering();
    });
  }

  /** Signals come at any moment, so what a batch has seen of them belongs to it. */
  async #take(turn: number): Promise<readonly UserMessage[]> {
    if (this.#batch?.canTake(false) === false) await this.#settle();
    const count = this.#stopped.aborted ? this.#delivered : this.#steered.length;
    const now = count > this.#delivered ? { upTo: count } : null;
    const name = STEPS.deliver.name(turn);
    const delivery = this.#batch === undefined ? now : this.#batch.note(name, now);
    if (!isDelivery(delivery)) return [];
    if (this.#batch === undefined) this.#lines.push(resultLine(this.#options.prompt, name, delivery));
    const messages = this.#steered.slice(this.#delivered, delivery.upTo);
    this.#delivered = delivery.upTo;
    return messages;
  }

  async #pendingInput(): Promise<readonly string[]> {
    if (this.#batch?.canTake(false) === false) await this.#settle();
    const waiting = this.#steered.slice(this.#delivered).filter(({ origin }) => origin === undefined);
    const now = waiting.map(typedText);
    const texts = this.#batch === undefined ? now : this.#batch.note(CLOSE, now);
    return Array.isArray(texts) ? texts.map(String) : [];
  }

  /** Starts a durable timer: the first one counts from the beginning of the prompt. */
  async #arm(deadline: number): Promise<void> {
    const isFirst = !this.#hadDeadline;
    this.#hadDeadline = true;
    this.#deadline = deadline;
    await this.#settle();
    const { context } = this.#options;
    const now = isFirst ? this.#beganAt : await this.#now();
    this.#pump.watch<unknown>(context.sleep(Math.max(0, deadline - now)), () => {
      if (this.#deadline === deadline) this.#late.abort();
    });
  }

  async #now(): Promise<number> {
    const { clock, context } = this.#options;
    const now = await this.#pump.wait<number>(context.run("now", () => clock.now()));
    return now ?? this.#beganAt;
  }
}

/** Whether an item of a batch is a line of the journal. */
const isStored = (name: string, result: unknown): boolean => name !== CLOSE && result !== null;
