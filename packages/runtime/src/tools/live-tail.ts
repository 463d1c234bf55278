import { headOf, tailOf } from "./tool-result.ts";

/** Milliseconds between two reports, and from the first output to the first report. */
const PAUSE = 100;
/** Lines and characters of a report at most. */
const LINES = 20;
const CHARACTERS = 4_000;
/** Characters kept; more than a report has, so that the start of its first word is known. */
const KEPT = 2 * CHARACTERS;

/** Reports the last lines of an output while it arrives: ten times a second at most, however fast that is. */
export class LiveTail {
  readonly #report: (tail: string) => void;
  #text = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(report: (tail: string) => void) {
    this.#report = report;
  }

  /** Takes the next piece of the output. */
  add(text: string): void {
    this.#text = text.length >= KEPT ? text.slice(-KEPT) : (this.#text + text).slice(-KEPT);
    this.#timer ??= setTimeout(() => this.#tell(), PAUSE);
  }

  /** Reports nothing more. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    this.#timer = undefined;
    const tail = lastLines(this.#text);
    if (tail.trim() !== "") this.#report(tail);
  }
}

/** A word at the end, which may be half a key, is left out until it is complete. */
function lastLines(text: string): string {
  const complete = headOf(`${text}x`, text.length);
  return tailOf(complete, CHARACTERS)
    .split("\n")
    .slice(-LINES - 1)
    .join("\n");
}
