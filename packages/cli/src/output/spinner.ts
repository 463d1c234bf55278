import type { Environment } from "@mdx-ai/base";
import type { Output } from "./output.ts";

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const FRAME_MILLISECONDS = 80;
const CLEAR_LINE = "\r\u001b[2K";

/** An animated activity line below other output. Without a terminal it only writes the other output. */
export class Spinner {
  readonly #output: Output;
  readonly #isAnimated: boolean;
  /** Absent while nothing is shown. */
  #text: string | undefined;
  #frame = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** How many callers suspend it, and the output collected meanwhile. */
  #holders = 0;
  #held = "";

  constructor(output: Output, environment: Environment) {
    this.#output = output;
    this.#isAnimated = environment["TERM"] !== "dumb" && output.isTerminal;
  }

  /** Shows a text. */
  show(text: string): void {
    this.#text = text;
    this.#start();
  }

  /** Writes text above the line. */
  write(text: string): void {
    if (this.#holders > 0) {
      this.#held += text;
    } else if (this.#timer === undefined) {
      this.#output.write(text);
    } else {
      this.#output.write(`${CLEAR_LINE}${text}`);
      this.#draw();
    }
  }

  /** Removes the line. */
  stop(): void {
    this.#text = undefined;
    this.#erase();
  }

  /** Suspends all output during `work` and writes it afterwards. Settles as `work` does. */
  async still<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#holders += 1;
    this.#erase();
    try {
      return await work();
    } finally {
      this.#holders -= 1;
      if (this.#holders === 0) this.#resume();
    }
  }

  #resume(): void {
    const held = this.#held;
    this.#held = "";
    if (held !== "") this.write(held);
    if (this.#text !== undefined) this.#start();
  }

  #start(): void {
    if (!this.#isAnimated || this.#holders > 0) return;
    this.#timer ??= setInterval(() => this.#draw(), FRAME_MILLISECONDS);
    this.#draw();
  }

  #erase(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#output.write(CLEAR_LINE);
  }

  #draw(): void {
    this.#output.write(`${CLEAR_LINE}${FRAMES.charAt(this.#frame)} ${this.#text ?? ""}`);
    this.#frame = (this.#frame + 1) % FRAMES.length;
  }
}
