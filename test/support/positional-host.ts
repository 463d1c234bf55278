import type { ToolCall, UserMessage } from "@mdx-ai/models";
import type { AgentEvent, Host, PermissionDecision, StepContext, StepOptions } from "@mdx-ai/runtime";
import { contentText } from "../../packages/runtime/src/content-text.ts";
import { numberEvents } from "../../packages/runtime/src/hosts/event-numbers.ts";

/** An operation that was started: it runs until it is done or lost, whoever waits for it. */
interface Operation {
  readonly done: PromiseWithResolvers<unknown>;
  readonly name: string;
  readonly interrupted: (() => unknown) | undefined;
  readonly run: () => Promise<unknown>;
}

export interface PositionalOptions {
  /** Runs the loop from the top on a host; rejects as the loop does. */
  play(host: Host, log: PositionalLog): Promise<unknown>;
  /** The names of operations in the order in which they are to complete; others complete at once. */
  readonly order?: readonly string[];
  /** Whether the process is killed after so many completions, with all that runs. */
  isKilled?(completions: number): boolean;
  ask(call: ToolCall): Promise<PermissionDecision>;
}

/**
 * An engine that knows operations by their positions alone: the n-th one that the loop starts has the n-th slot. After each
 * completion the loop is started again from the top, and gets what was completed, in the order of completion.
 */
export class PositionalLog {
  readonly #options: PositionalOptions;
  /** Results as JSON, by position, in the order of completion. */
  readonly #results = new Map<number, string>();
  readonly #started = new Map<number, Operation>();
  /** The operations that a kill has cut short. */
  readonly #lost = new Set<number>();
  readonly #completed = new Set<string>();
  readonly #waiting: UserMessage[] = [];
  readonly #cancel = new AbortController();
  #current: PositionalHost | undefined;
  #restart: (() => void) | undefined;
  restarts = 0;
  kills = 0;

  constructor(options: PositionalOptions) {
    this.#options = options;
  }

  /** The events of the last run, which is the whole one. Rejects as the loop does. */
  async run(): Promise<readonly AgentEvent[]> {
    for (;;) {
      const restarted = new Promise<undefined>((resolve) => {
        this.#restart = () => resolve(undefined);
      });
      const host = new PositionalHost(this);
      this.#current = host;
      const ended = this.#options.play(host, this).then(() => host.events);
      ended.catch(() => {});
      const events = await Promise.race([ended, restarted]);
      if (events) return events;
      host.isZombie = true;
      this.restarts++;
    }
  }

  /** What the user says; false when the prompt hears no more. */
  say(message: UserMessage): boolean {
    if (this.#isClosed) return false;
    this.#waiting.push(message);
    return true;
  }

  closeInbox(): readonly string[] {
    this.#isClosed = true;
    return this.#waiting.splice(0).map(({ content }) => contentText(content));
  }

  #isClosed = false;

  cancel(): void {
    this.#cancel.abort();
  }

  get signal(): AbortSignal {
    return this.#cancel.signal;
  }

  ask(call: ToolCall): Promise<PermissionDecision> {
    return this.#options.ask(call);
  }

  takeInbox(): readonly UserMessage[] {
    return this.#cancel.signal.aborted ? [] : this.#waiting.splice(0);
  }

  /** The result at a position, as JSON, and its place in the order of completion. */
  resultAt(position: number): { readonly json: string; readonly place: number } | undefined {
    const json = this.#results.get(position);
    return json === undefined ? undefined : { json, place: [...this.#results.keys()].indexOf(position) };
  }

  /** Starts the operation of a position, or finds it at work. */
  operation(position: number, operation: Omit<Operation, "done">): Promise<unknown> {
    const known = this.#started.get(position);
    if (known) return known.done.promise;
    const started = { ...operation, done: Promise.withResolvers<unknown>() };
    this.#started.set(position, started);
    const isInterrupted = this.#lost.has(position) && operation.interrupted !== undefined;
    void this.#work(position, started, isInterrupted);
    return started.done.promise;
  }

  async #work(position: number, operation: Operation, isInterrupted: boolean): Promise<void> {
    // As a flush would: what is started together runs together.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#started.get(position) !== operation) return;
    const result = isInterrupted ? operation.interrupted?.() : await operation.run();
    while (!this.#isTurnOf(operation.name)) await new Promise((resolve) => setImmediate(resolve));
    // Lost with the process that ran it.
    if (this.#started.get(position) !== operation) return;
    this.#complete(position, operation, result);
  }

  #isTurnOf(name: string): boolean {
    const { order = [] } = this.#options;
    const place = order.indexOf(name);
    return place < 0 || order.slice(0, place).every((before) => this.#completed.has(before));
  }

  #complete(position: number, operation: Operation, result: unknown): void {
    this.#results.set(position, JSON.stringify(result ?? null));
    this.#completed.add(operation.name);
    this.#started.delete(position);
    // Closures of earlier runs may wait for it, too.
    operation.done.resolve(result);
    if (this.#options.isKilled?.(this.#results.size)) {
      this.kills++;
      for (const lost of this.#started.keys()) this.#lost.add(lost);
      this.#started.clear();
    }
    if (this.#current) this.#current.isZombie = true;
    this.#restart?.();
  }
}

class PositionalHost implements Host {
  readonly #log: PositionalLog;
  readonly events: AgentEvent[] = [];
  readonly emit: Host["emit"];
  /** Whether the loop was started again since: nothing of this run counts any more. */
  isZombie = false;
  #next = 0;
  readonly #asked = new Map<number, () => void>();
  #isScheduled = false;

  constructor(log: PositionalLog) {
    this.#log = log;
    const number = numberEvents(1, (event) => this.events.push(event));
    this.emit = (event) => {
      if (!this.isZombie) number(event);
    };
  }

  async step<Result>(
    name: string,
    run: (context: StepContext) => Promise<Result>,
    { accepts, interrupted }: StepOptions<Result>,
  ): Promise<Result> {
    const { signal } = this.#log;
    const result = await this.#operation(name, () => run({ signal, flushed: async () => {} }), interrupted);
    if (!accepts(result)) throw new Error(`the result of ${name} was refused: ${JSON.stringify(result)}`);
    return result;
  }

  async sleep(name: string): Promise<void> {
    await this.#operation(name, async () => null);
  }

  ask(name: string, call: ToolCall): Promise<PermissionDecision> {
    return this.step(name, () => this.#log.ask(call), { accepts: (_): _ is PermissionDecision => true });
  }

  inbox(turn: number): Promise<readonly UserMessage[]> {
    const take = async (): Promise<readonly UserMessage[]> => this.#log.takeInbox();
    return this.step(`inbox:${turn}`, take, { accepts: (_): _ is readonly UserMessage[] => true });
  }

  #operation(name: string, run: () => Promise<unknown>, interrupted?: () => unknown): Promise<unknown> {
    if (this.isZombie) return new Promise(() => {});
    const position = this.#next++;
    const known = this.#log.resultAt(position);
    if (known === undefined) return this.#log.operation(position, { name, run, interrupted });
    return new Promise((resolve) => {
      this.#asked.set(known.place, () => resolve(JSON.parse(known.json)));
      this.#schedule();
    });
  }

  /** One result at a time, in the order of completion, each after the loop has gone as far as it can. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const first = Math.min(...this.#asked.keys());
      this.#asked.get(first)?.();
      this.#asked.delete(first);
      if (this.#asked.size > 0) this.#schedule();
    });
  }
}
