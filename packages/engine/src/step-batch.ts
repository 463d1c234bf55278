import { isList, isRecord } from "@mdx-ai/base";
import { isJournalLine, type JournalLine } from "@mdx-ai/sessions";
import { TerminalError } from "@restatedev/restate-sdk";
import type { LineBuffer } from "./line-buffer.ts";

/** The result of a step, with the lines that it appended. */
interface StepItem {
  readonly name: string;
  readonly result: unknown;
  readonly lines?: readonly JournalLine[];
}

const isItem = (value: unknown): value is StepItem =>
  isRecord(value) &&
  typeof value["name"] === "string" &&
  (value["lines"] === undefined || isList(value["lines"], isJournalLine));

/** The result of a durable step of Restate: one or more steps of the loop, in order. */
export interface Ran {
  readonly items: readonly StepItem[];
  /** Known to the attempt alone that ran them. */
  readonly token: string;
}

export const isRan = (value: unknown): value is Ran =>
  isRecord(value) && typeof value["token"] === "string" && isList(value["items"], isItem);

/** The lines that a step has appended. */
export const linesOf = (journal: LineBuffer): Pick<StepItem, "lines"> => {
  const lines = journal.take();
  return lines.length > 0 ? { lines } : {};
};

/**
 * Steps of the loop that follow one another and become durable together. The first attempt runs them as the loop asks for them; a
 * repetition finds them all.
 */
export class StepBatch {
  readonly #journal: LineBuffer;
  readonly #closed = Promise.withResolvers<void>();
  readonly #live = Promise.withResolvers<undefined>();
  #items: StepItem[] = [];
  /** Resolves when the batch is durable. */
  #durable: Promise<Ran> | undefined;
  #isLive = false;
  #isRunning = false;
  #hasEffects = false;
  #index = 0;

  constructor(journal: LineBuffer) {
    this.#journal = journal;
  }

  /** Begins the batch as one durable step, which `run` runs. Resolves when it is known whether it is a repetition. */
  async open(run: (work: () => Promise<Omit<Ran, "token">>) => Promise<Ran>): Promise<void> {
    this.#durable = run(async () => {
      this.#isLive = true;
      this.#live.resolve(undefined);
      await this.#closed.promise;
      return { items: this.#items };
    });
    // It may reject before it is awaited.
    this.#durable.catch(() => {});
    const ran = await Promise.race([this.#live.promise, this.#durable]);
    if (ran !== undefined) this.#items = [...ran.items];
  }

  /** Whether the next step may belong to it. */
  canTake(isOutside: boolean): boolean {
    return this.#isLive ? !(isOutside && this.#hasEffects) : this.#index < this.#items.length;
  }

  /** Whether results that had effects wait to become durable, so that what follows from them must not be seen yet. */
  get isHolding(): boolean {
    return this.#isLive && this.#hasEffects && !this.#isRunning;
  }

  /** Runs a step, or finds its result. Rejects as it does. */
  async step(name: string, isOutside: boolean, run: () => Promise<unknown>): Promise<unknown> {
    if (!this.#isLive) return this.#next(name);
    this.#isRunning = true;
    try {
      const result = (await run()) ?? null;
      this.#items.push({ name, result, ...linesOf(this.#journal) });
      return result;
    } catch (error) {
      this.#closed.reject(error);
      await this.#durable;
      throw error;
    } finally {
      this.#hasEffects ||= isOutside;
      this.#isRunning = false;
    }
  }

  /** The same for what is known at once. */
  note(name: string, result: unknown): unknown {
    if (!this.#isLive) return this.#next(name);
    this.#items.push({ name, result });
    return result;
  }

  #next(name: string): unknown {
    const item = this.#items[this.#index++];
    if (item?.name === name) return item.result;
    throw new TerminalError(`the loop asks for step ${name}, and the engine has ${item?.name ?? "no more"}`);
  }

  /** Ends the batch; resolves when it is durable. */
  async close(): Promise<Ran> {
    this.#closed.resolve();
    const ran = await this.#durable;
    if (ran === undefined) throw new TerminalError("the batch was not opened");
    return ran;
  }
}
