import { readStep, type StepKind } from "@mdx-ai/loop";
import type { JournalLine } from "../journal/journal.ts";

/** A requested result. */
interface Asked {
  readonly ready: Promise<void>;
  resolve(): void;
}

/** Steps that the loop does not request. */
const UNASKED: readonly StepKind[] = ["steer", "resume", "file"];

/**
 * The journaled results of a prompt. They are delivered in the order in which they were journaled, one at a time, so that
 * a repetition takes the same path as the first run, even if calls ran concurrently.
 */
export class JournaledResults {
  readonly #results: ReadonlyMap<string, unknown>;
  readonly #started: ReadonlySet<string>;
  /** The index of a result in the order of the journal. */
  readonly #order: ReadonlyMap<string, number>;
  readonly #asked = new Map<string, Asked>();
  readonly #taken = new Set<string>();
  #left: number;
  #idle: PromiseWithResolvers<void> | undefined;
  #isScheduled = false;

  constructor(lines: readonly JournalLine[]) {
    this.#results = new Map(lines.flatMap((line) => ("result" in line ? [[line.step, line.result] as const] : [])));
    const started = new Map(lines.flatMap((line) => ("started" in line ? [[line.step, line.started] as const] : [])));
    this.#started = new Set([...started].flatMap(([step, isCut]) => (isCut ? [step] : [])));
    const names = [...this.#results.keys()].filter((name) => !UNASKED.includes(readStep(name).kind));
    this.#order = new Map(names.map((name, index) => [name, index]));
    this.#left = names.length;
  }

  /** Whether undelivered results remain. */
  get hasMore(): boolean {
    return this.#left > 0;
  }

  has(name: string): boolean {
    return this.#results.has(name);
  }

  /** Whether a step was started and was not waiting for the user's answer. */
  wasStarted(name: string): boolean {
    return this.#started.has(name);
  }

  /** The names of the undelivered results. */
  unused(): readonly string[] {
    return [...this.#order.keys()].filter((name) => !this.#taken.has(name));
  }

  /**
   * Delivers the result of a step, after the requested ones that were journaled before it, and after `ready`. Rejects
   * as `ready` does.
   */
  async take(name: string, ready: Promise<void> = Promise.resolve()): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#asked.set(name, { ready, resolve });
    // It may reject before it is awaited.
    ready.catch(() => {});
    this.#schedule();
    await promise;
    await ready;
    return this.#results.get(name);
  }

  /** Resolves when all requested results were delivered and none led to another request. */
  async idle(): Promise<void> {
    if (!this.hasMore) return;
    this.#idle ??= Promise.withResolvers();
    this.#schedule();
    await this.#idle.promise;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // The receiver of the previous result runs first and may request the next one.
    setImmediate(() => void this.#handOutNext());
  }

  async #handOutNext(): Promise<void> {
    const next = this.#nextAsked();
    if (next) {
      const [name, { ready, resolve }] = next;
      await ready.catch(() => {});
      this.#asked.delete(name);
      if (!this.#taken.has(name)) this.#left--;
      this.#taken.add(name);
      resolve();
    } else {
      this.#idle?.resolve();
      this.#idle = undefined;
    }
    this.#isScheduled = false;
    if (next) this.#schedule();
  }

  #nextAsked(): [name: string, asked: Asked] | undefined {
    let first: [string, Asked] | undefined;
    for (const entry of this.#asked) if (!first || this.#position(entry[0]) < this.#position(first[0])) first = entry;
    return first;
  }

  #position(name: string): number {
    return this.#order.get(name) ?? 0;
  }
}
