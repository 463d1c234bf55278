import { secondsText } from "@mdx-ai/base";
import { ModelError } from "../errors.ts";

/** The longest that a timer can run. Milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** A timer that fires this late shows that this process was stopped, and not the server. Milliseconds. */
const longestStall = 1000;

/** How many such silences a server may fill with keep-alives and nothing else: a model may think for an hour. */
const mostSilences = 30;

/**
 * Ends a request when a server has been silent for too long, or has sent nothing but keep-alives for far too long. Only
 * the time spent waiting for it counts: a slow reader, or a process that was stopped, does not make the server silent.
 */
export class SilenceWatch {
  readonly #controller = new AbortController();
  readonly #milliseconds: number;
  readonly #host: string;
  #listeningSince: number | undefined;
  /** Milliseconds of waiting since the last piece of the answer. */
  #fruitless = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(milliseconds: number, host: string) {
    this.#milliseconds = milliseconds;
    this.#host = host;
  }

  /** Fires with a `ModelError`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts to wait for data. */
  listen(): void {
    if (this.#isOver) return;
    this.#listeningSince = performance.now();
    // The timer of an earlier wait will check how long this one has lasted.
    if (this.#timer === undefined) this.#lookIn(this.#milliseconds);
  }

  /** Something has arrived, such as a ping; the wait is over. */
  hear(): void {
    const listened = this.#listeningSince === undefined ? 0 : performance.now() - this.#listeningSince;
    this.#listeningSince = undefined;
    // Only a stopped process makes it last longer.
    this.#fruitless += Math.min(listened, this.#milliseconds);
    if (this.#fruitless > mostSilences * this.#milliseconds)
      this.#giveUp("sent keep-alives and nothing else", mostSilences * this.#milliseconds);
  }

  /** Reports that this many pieces of the answer arrived. */
  progress(pieces: number): void {
    if (pieces > 0) this.#fruitless = 0;
  }

  /** Ends it for good. */
  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #lookIn(milliseconds: number): void {
    const wait = Math.min(milliseconds, longestTimer);
    const due = performance.now() + wait;
    this.#timer = setTimeout(() => this.#look(due), wait);
  }

  #look(due: number): void {
    this.#timer = undefined;
    if (this.#listeningSince === undefined) return;
    const now = performance.now();
    if (now - due > longestStall) this.#listeningSince = now;
    const left = this.#listeningSince + this.#milliseconds - now;
    if (left > 0) this.#lookIn(left);
    else this.#giveUp("was silent", this.#milliseconds);
  }

  #giveUp(what: string, milliseconds: number): void {
    const problem = `${this.#host} ${what} for ${secondsText(milliseconds / 1000)}`;
    this.#controller.abort(new ModelError(problem, { kind: "silence", isTransient: true }));
  }
}
