import { isList, isRecord, type Redactor } from "@mdx-ai/base";
import {
  type AgentEvent,
  type Answer,
  CompletionOrder,
  type Host,
  type HostInbox,
  isPromptBegin,
  onceEach,
  type Question,
  STEPS,
  type Step,
  type StepContext,
  type StepOptions,
  type Wait,
} from "@mdx-ai/loop";
import { isUserMessage, type UserMessage } from "@mdx-ai/models";
import { typedText } from "@mdx-ai/models/typed-words";
import { HostEndedError } from "@mdx-ai/runtime";
import { isJournalLine, type JournalLine, type LocalHostOptions, resultLine } from "@mdx-ai/sessions";
import { type ObjectContext, type RestatePromise, RetryableError, TerminalError } from "@restatedev/restate-sdk";
import { CompletionPump } from "./completion-pump.ts";
import type { LineBuffer } from "./line-buffer.ts";
import { redactedJson } from "./redacted-json.ts";

/** What a host uses of the invocation that runs its prompt. */
type PromptContext = Pick<ObjectContext, "run" | "sleep" | "signal">;

export interface RestateHostOptions extends Pick<LocalHostOptions, "prompt" | "clock" | "closing" | "emit"> {
  readonly context: PromptContext;
  /** Fires when the attempt has ended: the prompt continues in another one. */
  readonly ended: AbortSignal;
  /** Receives the lines that a running step appends. */
  readonly journal: LineBuffer;
  readonly redactor: Redactor;
  /** Stores the lines of completed steps for readers; called before each step with side effects. */
  store(lines: readonly JournalLine[]): void;
  /** Reports a question to where answers arrive. */
  ask(question: Question): void;
}

/** A step's result, with the lines that it appended. */
interface Ran {
  readonly result: unknown;
  readonly lines?: readonly JournalLine[];
}

const isRan = (value: unknown): value is Ran =>
  isRecord(value) && (value["lines"] === undefined || isList(value["lines"], isJournalLine));

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
  /** The tokens of calls that this attempt has begun. */
  readonly #begun = new Set<string>();
  readonly #steered: UserMessage[] = [];
  /** The lines of completed steps that are not stored yet. */
  #lines: JournalLine[] = [];
  #delivered = 0;
  #beganAt = 0;
  #hasDeadline = false;
  readonly emit: (event: AgentEvent) => void;
  readonly inbox: HostInbox;

  constructor(options: RestateHostOptions) {
    const { context, ended, closing } = options;
    this.#options = options;
    const over = AbortSignal.any([ended, closing]);
    this.#pump = new CompletionPump(over);
    this.#stopped = AbortSignal.any([this.#stop.signal, this.#late.signal]);
    this.#context = { signal: AbortSignal.any([this.#stopped, over]) };
    this.emit = onceEach(options.emit);
    this.inbox = { take: async (turn) => this.#take(turn), close: async () => this.#pendingInput() };
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

  readonly step: Step = (name, run, options) => this.#completions.watch(this.#step(name, run, options));

  async #step<Result>(
    name: string,
    run: (context: StepContext) => Promise<Result>,
    { accepts, interrupted, effect, deadline }: StepOptions<Result>,
  ): Promise<Result> {
    if (deadline !== undefined) this.#arm(deadline);
    const token = interrupted && (await this.#begin(name));
    if (effect !== "none") this.flush();
    const isLost = (): boolean => token !== undefined && !this.#begun.has(token);
    const ran = await this.#run(name, async () => (interrupted && isLost() ? interrupted() : run(this.#context)));
    if (!isRan(ran) || !accepts(ran.result)) throw new TerminalError(`step ${name} has a result that cannot be read`);
    const { result, lines = [] } = ran;
    this.#lines.push(...lines, resultLine(this.#options.prompt, name, result));
    // In this attempt the lines before the beginning may differ; those of the first one count.
    if (name === STEPS.begin.name()) this.#options.journal.take();
    if (isPromptBegin(result)) this.#beganAt = result.input.timestamp;
    return result;
  }

  /** Journals a token for a call that must not run twice: an attempt that does not know it has not begun the call. */
  async #begin(name: string): Promise<string> {
    const { prompt } = this.#options;
    const token = async (): Promise<string> => {
      const made = crypto.randomUUID();
      this.#begun.add(made);
      return made;
    };
    const begun = await this.#run(`start ${name}`, token);
    if (!isRan(begun) || typeof begun.result !== "string") throw new TerminalError(`the start of step ${name} is lost`);
    this.#lines.push({ v: 1, prompt, step: name, started: true });
    return begun.result;
  }

  /** Runs work as a durable step. Whatever it throws is final, unless the attempt has ended meanwhile. */
  #run(name: string, work: () => Promise<unknown>): Promise<unknown> {
    const { context, journal, redactor, ended, closing } = this.#options;
    const durable = async (): Promise<Ran> => {
      try {
        const result = (await work()) ?? null;
        if (ended.aborted || closing.aborted) throw new HostEndedError("the attempt has ended");
        const lines = journal.take();
        return { result, ...(lines.length > 0 && { lines }) };
      } catch (error) {
        if (ended.aborted || closing.aborted) throw new RetryableError("the worker stops", { cause: error });
        throw error instanceof TerminalError ? error : new TerminalError(String(error));
      }
    };
    return this.#pump.wait<unknown>(context.run<unknown>(name, durable, { serde: redactedJson(redactor) }));
  }

  async sleep(name: string, milliseconds: number): Promise<void> {
    const { clock, context } = this.#options;
    const begin = async (): Promise<Wait> => ({ delay: milliseconds, until: clock.now() + milliseconds });
    await this.#step(name, begin, { accepts: STEPS.retry.accepts, effect: "none" });
    if (this.#stopped.aborted) return;
    this.flush();
    await this.#pump.wait<unknown>(context.sleep(milliseconds, name), this.#stopped);
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
    if (this.#stopped.aborted) return STOPPED;
    this.flush();
    this.#options.ask(question);
    const answered: RestatePromise<unknown> = this.#options.context.signal(SIGNALS.answer(question.id));
    return this.#pump.wait(answered, this.#stopped);
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

  #take(turn: number): readonly UserMessage[] {
    if (this.#stopped.aborted || this.#steered.length === this.#delivered) return [];
    const messages = this.#steered.slice(this.#delivered);
    this.#delivered = this.#steered.length;
    this.#lines.push(resultLine(this.#options.prompt, STEPS.deliver.name(turn), { upTo: this.#delivered }));
    return messages;
  }

  #pendingInput(): readonly string[] {
    return this.#steered
      .slice(this.#delivered)
      .filter(({ origin }) => origin === undefined)
      .map(typedText);
  }

  /** A durable timer, counted from the beginning of the prompt. */
  #arm(deadline: number): void {
    if (this.#hasDeadline) return;
    this.#hasDeadline = true;
    const { context } = this.#options;
    this.#pump.watch<unknown>(context.sleep(Math.max(0, deadline - this.#beganAt)), () => this.#late.abort());
  }
}
