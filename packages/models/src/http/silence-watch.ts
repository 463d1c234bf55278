import { type Clock, secondsText, steadyClock } from "@mdx-ai/base";
import { ModelError } from "../errors.ts";

/** Milliseconds: a timer this late means that this process was suspended, not that the server was silent. */
const longestStall = 1000;

/** Silences that a server may fill with keep-alives only: a model may think for an hour. */
const mostSilences = 30;

/**
 * Ends a request when a server is silent for too long, or sends only keep-alives for far too long. Only time spent waiting counts: a slow
 * reader or a suspended process does not.
 */
export class SilenceWatch {
  readonly #controller = new AbortController();
  readonly #milliseconds: number;
  readonly #host: string;
  #listeningSince: number | undefined;
  /** Milliseconds of waiting since the last piece of the answer. */
  #fruitless = 0;
  readonly #clock: Clock;
  #cancel: (() => void) | undefined;
  #isOver = false;

  constructor(milliseconds: number, host: string, clock: Clock = steadyClock) {
    this.#clock = clock;
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
    this.#listeningSince = this.#clock.now();
    // The timer of an earlier wait will measure this one.
    if (this.#cancel === undefined) this.#lookIn(this.#milliseconds);
  }

  /** Called when data arrived, such as a ping; ends the wait. */
  hear(): void {
    const listened = this.#listeningSince === undefined ? 0 : this.#clock.now() - this.#listeningSince;
    this.#listeningSince = undefined;
    // Only a suspended process exceeds the limit.
    this.#fruitless += Math.min(listened, this.#milliseconds);
    if (this.#fruitless > mostSilences * this.#milliseconds)
      this.#giveUp("sent keep-alives and nothing else", mostSilences * this.#milliseconds);
  }

  /** Reports that pieces of the answer arrived. */
  progress(pieces: number): void {
    if (pieces > 0) this.#fruitless = 0;
  }

  /** Stops for good. */
  stop(): void {
    this.#isOver = true;
    this.#cancel?.();
  }

  #lookIn(milliseconds: number): void {
    const due = this.#clock.now() + milliseconds;
    this.#cancel = this.#clock.after(milliseconds, () => this.#look(due));
  }

  #look(due: number): void {
    this.#cancel = undefined;
    if (this.#listeningSince === undefined) return;
    const now = this.#clock.now();
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
