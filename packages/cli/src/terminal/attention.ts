import type { TerminalSettings } from "@mdx-ai/parser";

export interface AttentionOptions {
  readonly way: NonNullable<TerminalSettings["notify"]>;
  /** Writes a control sequence to the terminal. */
  readonly write: (sequence: string) => void;
  /** Milliseconds that a prompt must last, or the user must be idle. */
  readonly away?: number;
}

const AWAY = 10_000;

/** Notifies the user: when a long prompt has ended, and when a question waits and no one types. */
export class Attention {
  readonly #options: AttentionOptions;
  readonly #away: number;
  #lastTyped = performance.now();
  #began: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: AttentionOptions) {
    this.#options = options;
    this.#away = options.away ?? AWAY;
  }

  typed(): void {
    this.#lastTyped = performance.now();
  }

  promptBegan(): void {
    this.#began = performance.now();
  }

  promptEnded(): void {
    const isLong = this.#began !== undefined && performance.now() - this.#began > this.#away;
    this.#began = undefined;
    if (isLong) this.#call("The prompt is finished");
  }

  /** Notifies once per question, if the user has not typed for a while. */
  questionOpened(): void {
    clearTimeout(this.#timer);
    const left = this.#away - (performance.now() - this.#lastTyped);
    if (left <= 0) this.#call("A question is waiting for you");
    else this.#timer = setTimeout(() => this.questionOpened(), left);
  }

  questionClosed(): void {
    clearTimeout(this.#timer);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #call(text: string): void {
    const { way, write } = this.#options;
    if (way === "bell") write("\u0007");
    if (way === "osc9") write(`\u001b]9;mdx-ai: ${text}\u0007`);
  }
}
