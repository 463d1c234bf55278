import type { Environment } from "@mdx-ai/models";
import type { Output } from "./output.ts";

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const FRAME_MILLISECONDS = 80;
const CLEAR_LINE = "\r\u001b[2K";

/** An animated line that shows activity. */
export interface Spinner {
  /** Shows this text from now on. */
  show(text: string): void;
  /** Writes text above the line. */
  write(text: string): void;
  /** Removes the line. */
  stop(): void;
}

/** A spinner on a terminal; without a terminal it only writes. */
export function createSpinner(output: Output, environment: Environment): Spinner {
  const isAnimated = environment["TERM"] !== "dumb" && output.isTerminal;
  return isAnimated ? new AnimatedSpinner(output) : new StillSpinner(output);
}

class StillSpinner implements Spinner {
  readonly #output: Output;

  constructor(output: Output) {
    this.#output = output;
  }

  show(): void {}

  write(text: string): void {
    this.#output.write(text);
  }

  stop(): void {}
}

class AnimatedSpinner implements Spinner {
  readonly #output: Output;
  #text = "";
  #frame = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(output: Output) {
    this.#output = output;
  }

  show(text: string): void {
    this.#text = text;
    this.#timer ??= setInterval(() => this.#draw(), FRAME_MILLISECONDS);
    this.#draw();
  }

  write(text: string): void {
    if (this.#timer === undefined) {
      this.#output.write(text);
    } else {
      this.#output.write(`${CLEAR_LINE}${text}`);
      this.#draw();
    }
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#output.write(CLEAR_LINE);
  }

  #draw(): void {
    this.#output.write(`${CLEAR_LINE}${FRAMES.charAt(this.#frame)} ${this.#text}`);
    this.#frame = (this.#frame + 1) % FRAMES.length;
  }
}

/** A spinner that can be paused; its output is written afterwards. */
export class HeldSpinner implements Spinner {
  readonly #spinner: Spinner;
  #holders = 0;
  #text = "";
  #shown: string | undefined;

  constructor(spinner: Spinner) {
    this.#spinner = spinner;
  }

  /** Writes and shows nothing while something else is done. Settles as that does. */
  async still<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#holders += 1;
    this.#spinner.stop();
    try {
      return await work();
    } finally {
      this.#holders -= 1;
      if (this.#holders === 0) this.#goOn();
    }
  }

  show(text: string): void {
    this.#shown = text;
    if (this.#holders === 0) this.#spinner.show(text);
  }

  write(text: string): void {
    if (this.#holders === 0) this.#spinner.write(text);
    else this.#text += text;
  }

  stop(): void {
    this.#shown = undefined;
    this.#spinner.stop();
  }

  #goOn(): void {
    const text = this.#text;
    this.#text = "";
    if (text !== "") this.#spinner.write(text);
    if (this.#shown !== undefined) this.#spinner.show(this.#shown);
  }
}
