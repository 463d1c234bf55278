import type { Clock } from "@mdx-ai/base";
import type { AgentEvent } from "@mdx-ai/loop";
import type { ProgramModule } from "../types/module.ts";
import { awaitHook, callHook, type FailureReport } from "./hook-calls.ts";
import type { CompleteModule } from "./module-contract.ts";

export type EventListener = (event: AgentEvent, session: string) => void;

export interface LiveModuleOptions {
  /** Where its failures are reported: its file, or the name of a builtin module. */
  readonly location: string;
  readonly name: string;
  /** The name of its file without the ending: unique, and the same for every version of the module. */
  readonly key: string;
  /** Absent for a file of the agent. */
  readonly program?: ProgramModule | undefined;
  readonly module: CompleteModule;
  readonly clock: Clock;
  readonly report: FailureReport;
}

/** A module that fails so often within a minute is stopped. */
const MAX_FAILURES = 5;
const MINUTE = 60_000;

/** How long `stop` may take, in milliseconds: a service manager kills 10 s after it has asked the program to end. */
const MAX_STOPPING = 5_000;

/** A loaded module. Counts the failures of one that is a file of the agent, and stops it after too many. */
export class LiveModule {
  readonly location: string;
  readonly name: string;
  readonly key: string;
  readonly program: ProgramModule | undefined;
  readonly module: CompleteModule;
  readonly #options: LiveModuleOptions;
  readonly #listeners = new Set<EventListener>();
  readonly #stopping = new AbortController();
  /** When it failed, in milliseconds since 1970; the last few times. */
  #failures: readonly number[] = [];
  #started: Promise<unknown> | undefined;
  #stopped: Promise<void> | undefined;
  #hasFailed = false;

  constructor(options: LiveModuleOptions) {
    this.location = options.location;
    this.name = options.name;
    this.key = options.key;
    this.program = options.program;
    this.module = options.module;
    this.#options = options;
  }

  /** Whether it is a file of the agent. */
  get isOfFile(): boolean {
    return this.program === undefined;
  }

  get isRunning(): boolean {
    return this.#stopped === undefined;
  }

  /** Whether its hooks are called: also while the agent is closed, so that prompts end as they began, unless it failed too often. */
  get hasHooks(): boolean {
    return !this.#hasFailed;
  }

  /** Fires when it is stopped. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Reports a failure, and stops the module if it was one too many. Later ones, such as those of a timer that keeps running, are not reported. */
  readonly report: FailureReport = (location, error) => {
    const { clock, report } = this.#options;
    if (this.#hasFailed) return;
    report(location, error);
    // The program's own modules also run the user's hooks, which may deny calls.
    if (!this.isOfFile) return;
    const now = clock.now();
    this.#failures = [...this.#failures.slice(1 - MAX_FAILURES), now];
    const [first = now] = this.#failures;
    if (!this.isRunning || this.#failures.length < MAX_FAILURES || now - first > MINUTE) return;
    report(this.location, `stopped, because it failed ${MAX_FAILURES} times within a minute`);
    this.#hasFailed = true;
    void this.stop();
  };

  /** Returns a function that ends the calls of the listener. */
  listen(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  send(event: AgentEvent, session: string): void {
    for (const listener of this.#listeners) {
      const answer: unknown = callHook(`${this.location}: listener`, () => listener(event, session), this.report);
      if (answer instanceof Promise) answer.catch((error) => this.report(`${this.location}: listener`, error));
    }
  }

  /** Calls the module's `start` once, and waits for it. Never rejects. */
  async start(): Promise<void> {
    const { clock } = this.#options;
    const { location, report } = this;
    this.#started ??= awaitHook(`${location}: start`, () => this.module.start(), { clock, report });
    await this.#started;
  }

  /** Calls the module's `stop` once, and waits for it. Never rejects. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const { clock, report } = this.#options;
    const { hookLimit: limit = MAX_STOPPING } = this.module;
    this.#stopping.abort();
    this.#listeners.clear();
    await awaitHook(`${this.location}: stop`, () => this.module.stop(), { clock, report, limit });
  }
}
