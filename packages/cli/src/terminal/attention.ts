import { type Clock, steadyClock } from "@mdx-ai/base";
import type { TerminalSettings } from "@mdx-ai/parser";

export interface AttentionOptions {
  readonly way: NonNullable<TerminalSettings["notify"]>;
  /** Writes a control sequence to the terminal. */
  readonly write: (sequence: string) => void;
  /** Default: this process's. */
  readonly clock?: Clock;
}

/** Milliseconds that a prompt must last, or the user must be idle. */
const AWAY = 10_000;

/** Notifies the user: when a long prompt has ended, and when a question waits and no one types. */
export class Attention {
  readonly #options: AttentionOptions;
  readonly #clock: Clock;
  #lastTyped: number;
  #began: number | undefined;
  #cancel: (() => void) | undefined;

  constructor(options: AttentionOptions) {
    this.#options = options;
    this.#clock = options.clock ?? steadyClock;
    this.#lastTyped = this.#clock.now();
  }

  typed(): void {
    this.#lastTyped = this.#clock.now();
  }

  promptBegan(): void {
    this.#began = this.#clock.now();
  }

  promptEnded(): void {
    const isLong = this.#began !== undefined && this.#clock.now() - this.#began > AWAY;
    this.#began = undefined;
    if (isLong) this.#call("The prompt is finished");
  }

  /** Notifies once per question, if the user has not typed for a while. */
  questionOpened(): void {
    this.#cancel?.();
    const left = AWAY - (this.#clock.now() - this.#lastTyped);
    if (left <= 0) this.#call("A question is waiting for you");
    else this.#cancel = this.#clock.after(left, () => this.questionOpened());
  }

  questionClosed(): void {
    this.#cancel?.();
  }

  stop(): void {
    this.#cancel?.();
  }

  #call(text: string): void {
    const { way, write } = this.#options;
    if (way === "bell") write("\u0007");
    if (way === "osc9") write(`\u001b]9;mdx-ai: ${text}\u0007`);
  }
}
