import type { LineBuffer } from "./line-buffer.ts";
import { type Ran, StepBatch } from "./step-batch.ts";

export interface StepBatchesParts {
  readonly journal: LineBuffer;
  /** Runs work as one durable step. */
  readonly run: (work: () => Promise<Omit<Ran, "token">>) => Promise<Ran>;
  /** Receives the results of a batch when they are durable. */
  readonly onDurable: (ran: Ran) => void;
}

/** The batches of a prompt's steps, one after another; at most one is open. */
export class StepBatches {
  readonly #parts: StepBatchesParts;
  #batch: StepBatch | undefined;
  #settling: Promise<void> | undefined;

  constructor(parts: StepBatchesParts) {
    this.#parts = parts;
  }

  /** Whether a batch is open: its steps are not durable yet. */
  get isOpen(): boolean {
    return this.#batch !== undefined;
  }

  /** As `StepBatch.isHolding`. */
  get isHolding(): boolean {
    return this.#batch?.isHolding === true;
  }

  /** Runs a step in a batch. A batch with side effects ends before the next ones, so that none of them is repeated. */
  async step(name: string, isOutside: boolean, run: () => Promise<unknown>): Promise<unknown> {
    await this.makeRoom(isOutside);
    this.#batch ??= await this.#opened();
    return this.#batch.step(name, isOutside, run);
  }

  /** Ends the open batch if it cannot take another step. */
  async makeRoom(isOutside: boolean): Promise<void> {
    if (this.#batch?.canTake(isOutside) === false) await this.settle();
  }

  /** Notes what is known at once in the open batch, so that a repetition finds it; without one, returns it as it is. */
  note(name: string, result: unknown): unknown {
    return this.#batch === undefined ? result : this.#batch.note(name, result);
  }

  /** Ends the open batch; resolves when its results are durable. */
  settle(): Promise<void> {
    if (this.#settling === undefined && this.#batch !== undefined)
      this.#settling = this.#settled(this.#batch).finally(() => {
        this.#settling = undefined;
      });
    return this.#settling ?? Promise.resolve();
  }

  async #opened(): Promise<StepBatch> {
    const batch = new StepBatch(this.#parts.journal);
    await batch.open(this.#parts.run);
    return batch;
  }

  async #settled(batch: StepBatch): Promise<void> {
    const ran = await batch.close();
    this.#batch = undefined;
    this.#parts.onDurable(ran);
  }
}
