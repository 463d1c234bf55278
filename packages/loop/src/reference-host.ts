import { isList } from "@mdx-ai/base";
import { isUserMessage, type UserMessage } from "@mdx-ai/models";
import { CompletionOrder } from "./completion-order.ts";
import { contentText } from "./content-text.ts";
import { onceEach } from "./event-numbers.ts";
import type { Host, HostInbox, StepContext, StepName, StepOptions } from "./host.ts";
import { isText } from "./step-results.ts";
import { STEPS } from "./steps.ts";
import type { AgentEvent } from "./types/event.ts";
import type { Answer, Question } from "./types/question.ts";

export interface ReferenceOptions<Result> {
  /** Runs the loop on a host from the beginning. It must create everything else that it uses anew each time. */
  play(host: Host): Promise<Result>;
  /** The user's answers. An unanswered question leaves the run waiting. */
  answer(question: Question): Promise<Answer>;
  /** The names of operations in the desired order of completion. Other operations complete at once. Default: none. */
  readonly order?: readonly string[];
  /** Whether to kill the process, with everything that runs, after this many completions. Default: never. */
  isKilled?(completions: number): boolean;
}

/** The outcome of a prompt. */
export interface ReferenceRun<Result> {
  /** What the last `play` resolved to. */
  readonly result: Result;
  /** The events of the last `play`, in which all results were known. */
  readonly events: readonly AgentEvent[];
}

/** A running operation. */
interface Operation {
  readonly name: string;
  readonly interrupted: (() => unknown) | undefined;
  readonly run: () => Promise<unknown>;
}

/**
 * The reference host: stores results in memory as JSON, identifies operations by position alone, and restarts the loop
 * after each completion. Sleeping takes no time. A loop or a tool that works here works on every host.
 */
export class ReferenceEngine<Result> {
  readonly #options: ReferenceOptions<Result>;
  /** Results as JSON, by position, in the order of completion. */
  readonly #results = new Map<number, string>();
  readonly #started = new Map<number, Operation>();
  /** The positions of killed operations. */
  readonly #lost = new Set<number>();
  readonly #completed = new Set<string>();
  readonly #waiting: UserMessage[] = [];
  readonly #cancel = new AbortController();
  #restart = Promise.withResolvers<undefined>();
  #isClosed = false;
  #kills = 0;

  constructor(options: ReferenceOptions<Result>) {
    this.#options = options;
  }

  /** The number of kills. */
  get kills(): number {
    return this.#kills;
  }

  get signal(): AbortSignal {
    return this.#cancel.signal;
  }

  /** Runs a prompt to its end. Rejects as the loop or an operation does. */
  async run(): Promise<ReferenceRun<Result>> {
    for (;;) {
      this.#restart = Promise.withResolvers();
      const host = new ReferenceHost(this);
      const played = this.#options.play(host).then((result) => ({ result, events: host.events }));
      played.catch(() => {});
      const ended = await Promise.race([played, this.#restart.promise]);
      if (ended) return ended;
      host.isLeft = true;
    }
  }

  /** Sends user input; returns false if the prompt accepts no more. */
  say(message: UserMessage): boolean {
    if (!this.#isClosed) this.#waiting.push(message);
    return !this.#isClosed;
  }

  /** Cancels the prompt. */
  cancel(): void {
    this.#cancel.abort();
  }

  take(): readonly UserMessage[] {
    return this.signal.aborted ? [] : this.#waiting.splice(0);
  }

  close(): readonly string[] {
    this.#isClosed = true;
    return this.#waiting.splice(0).map(({ content }) => contentText(content));
  }

  async answer(question: Question): Promise<Answer> {
    return this.signal.aborted ? { answer: "no", by: "stop" } : this.#options.answer(question);
  }

  /** The result at a position as JSON, and its index in the order of completion. */
  resultAt(position: number): { readonly json: string; readonly index: number } | undefined {
    const json = this.#results.get(position);
    return json === undefined ? undefined : { json, index: [...this.#results.keys()].indexOf(position) };
  }

  /** Starts the operation of a position unless it runs. */
  start(position: number, operation: Operation): void {
    if (this.#started.has(position)) return;
    this.#started.set(position, operation);
    this.#work(position, operation).catch((error: unknown) => this.#restart.reject(error));
  }

  async #work(position: number, operation: Operation): Promise<void> {
    // Operations that the loop starts together run together.
    await nextTask();
    if (this.#started.get(position) !== operation) return;
    const { name, interrupted, run } = operation;
    const result = this.#lost.has(position) && interrupted ? interrupted() : await run();
    while (!this.#isTurnOf(name)) await nextTask();
    // Lost with the killed process.
    if (this.#started.get(position) !== operation) return;
    this.#results.set(position, JSON.stringify(result ?? null));
    this.#completed.add(name);
    this.#started.delete(position);
    if (this.#options.isKilled?.(this.#results.size)) this.#kill();
    this.#restart.resolve(undefined);
  }

  #isTurnOf(name: string): boolean {
    const { order = [] } = this.#options;
    return order.slice(0, Math.max(0, order.indexOf(name))).every((before) => this.#completed.has(before));
  }

  #kill(): void {
    this.#kills++;
    for (const position of this.#started.keys()) this.#lost.add(position);
    this.#started.clear();
  }
}

class ReferenceHost implements Host {
  readonly #engine: ReferenceEngine<unknown>;
  readonly #completions = new CompletionOrder();
  readonly events: AgentEvent[] = [];
  readonly emit: Host["emit"];
  readonly inbox: HostInbox;
  /** Whether the loop has been restarted since, so that this run is obsolete. */
  isLeft = false;
  #position = 0;
  /** The functions that deliver requested results, by index in the order of completion. */
  readonly #asked = new Map<number, () => void>();

  constructor(engine: ReferenceEngine<unknown>) {
    this.#engine = engine;
    const pass = onceEach((event) => this.events.push(event));
    this.emit = (event) => {
      if (!this.isLeft) pass(event);
    };
    this.inbox = {
      take: (turn) => this.#operation({ name: `inbox:${turn}`, run: async () => engine.take() }, areMessages),
      close: () => this.#operation({ name: "inbox:close", run: async () => engine.close() }, areTexts),
    };
  }

  step<Kept>(
    name: StepName,
    run: (context: StepContext) => Promise<Kept>,
    { accepts, interrupted }: StepOptions<Kept>,
  ): Promise<Kept> {
    const { signal } = this.#engine;
    return this.#operation({ name, run: () => run({ signal }), interrupted }, accepts);
  }

  async sleep(name: StepName): Promise<void> {
    await this.#operation({ name, run: async () => null }, isAny);
  }

  ask(name: StepName, question: Question): Promise<Answer> {
    return this.#operation({ name, run: () => this.#engine.answer(question) }, STEPS.answer.accepts);
  }

  inOrder<Kept>(started: readonly Promise<Kept>[]): AsyncIterable<readonly [index: number, result: Kept]> {
    return this.#completions.inOrder(started);
  }

  #operation<Kept>(
    { name, run, interrupted }: Pick<Operation, "name" | "run"> & Partial<Operation>,
    accepts: (value: unknown) => value is Kept,
  ): Promise<Kept> {
    const position = this.#position++;
    const known = this.isLeft ? undefined : this.#engine.resultAt(position);
    if (known === undefined) {
      if (!this.isLeft) this.#engine.start(position, { name, run, interrupted });
      // The next host delivers its result.
      return new Promise(() => {});
    }
    const { promise, resolve, reject } = Promise.withResolvers<Kept>();
    this.#asked.set(known.index, () => {
      const result: unknown = JSON.parse(known.json);
      if (accepts(result)) resolve(result);
      else reject(new TypeError(`the result of ${name} is not accepted: ${known.json}`));
    });
    if (this.#asked.size === 1) this.#schedule();
    return this.#completions.watch(promise);
  }

  /** Delivers one result at a time, in the order of completion, each after the loop has gone as far as it can. */
  #schedule(): void {
    setImmediate(() => {
      const first = Math.min(...this.#asked.keys());
      this.#asked.get(first)?.();
      this.#asked.delete(first);
      if (this.#asked.size > 0) this.#schedule();
    });
  }
}

const isAny = (_value: unknown): _value is unknown => true;

const areMessages = (value: unknown): value is readonly UserMessage[] => isList(value, isUserMessage);

const areTexts = (value: unknown): value is readonly string[] => isList(value, isText);

const nextTask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
