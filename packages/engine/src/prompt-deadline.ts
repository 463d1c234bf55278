import type { Clock } from "@mdx-ai/base";
import type { ObjectContext } from "@restatedev/restate-sdk";
import type { CompletionPump } from "./completion-pump.ts";

export interface PromptDeadlineParts {
  readonly context: Pick<ObjectContext, "run" | "sleep">;
  readonly pump: CompletionPump;
  readonly clock: Clock;
}

/** The deadline of a prompt, as a durable timer. Answers of the user move it: the steps after them name a later one. */
export class PromptDeadline {
  readonly #parts: PromptDeadlineParts;
  readonly #passed = new AbortController();
  /** What the newest timer waits for; undefined while the prompt waits for an answer. */
  #current: number | undefined;
  #hadTimer = false;

  constructor(parts: PromptDeadlineParts) {
    this.#parts = parts;
  }

  /** Fires when the deadline has passed. */
  get passed(): AbortSignal {
    return this.#passed.signal;
  }

  isCurrent(deadline: number): boolean {
    return deadline === this.#current;
  }

  /** The time of a person does not count. */
  pause(): void {
    this.#current = undefined;
  }

  /** Starts the timer of a deadline. The first one counts from `began`, when the prompt began. */
  async start(deadline: number, began: number): Promise<void> {
    const isFirst = !this.#hadTimer;
    this.#hadTimer = true;
    this.#current = deadline;
    const { context, pump } = this.#parts;
    const now = isFirst ? began : ((await this.#now()) ?? began);
    pump.watch<unknown>(context.sleep(Math.max(0, deadline - now)), () => {
      if (this.#current === deadline) this.#passed.abort();
    });
  }

  #now(): Promise<number | undefined> {
    const { clock, context, pump } = this.#parts;
    return pump.wait<number>(context.run("now", () => clock.now()));
  }
}
