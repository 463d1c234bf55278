import { fstatSync, statSync, write } from "node:fs";
import { type Environment, errorMessage, type Redactor } from "@mdx-ai/base";
import { EXIT_CODE, ProgramError } from "../failures/program-error.ts";

/** Takes a text that is written. Rejects where it cannot. */
type Send = (text: string) => Promise<unknown>;

/**
 * Standard output or standard error. Text goes out as soon as the program waits for something, so that lines of one moment
 * take one write; what comes while a write is under way goes out together with the next one. `process.stdout` would cost ten
 * milliseconds to make, and `Bun.write` writes the beginning of a text twice if a pipe that does not wait is full.
 */
export class Output {
  readonly #descriptor: 1 | 2;
  readonly #redactor: Redactor | undefined;
  readonly #send: Send | undefined;
  readonly #closing = new AbortController();
  /** Fires when nothing can be written any more, such as when the reader of a pipe went away. */
  readonly closed: AbortSignal = this.#closing.signal;
  #pending = "";
  #soon: NodeJS.Immediate | undefined;
  #writing: Promise<void> | undefined;
  #failure: unknown;
  #isTerminal: boolean | undefined;

  /** With a redactor, texts are redacted first. With `send`, they go there, and the output is no terminal. */
  constructor(descriptor: 1 | 2, redactor?: Redactor, send?: Send) {
    this.#send = send;
    this.#descriptor = descriptor;
    this.#redactor = redactor;
  }

  get isTerminal(): boolean {
    this.#isTerminal ??= this.#send === undefined && isTerminal(this.#descriptor);
    return this.#isTerminal;
  }

  /** A text as it would be written. Use it before a text is cut or wrapped: half a key is not recognised. */
  redacted(text: string): string {
    return this.#redactor?.text(text) ?? text;
  }

  /** Never throws; what is written after the stream was closed is dropped. */
  write(text: string): void {
    if (text === "" || this.#closing.signal.aborted) return;
    this.#pending += this.redacted(text);
    if (this.#writing === undefined) this.#soon ??= setImmediate(() => this.#begin());
  }

  /**
   * Settles when all is written or the reader is gone. Rejects with `ProgramError` if standard output failed
   * in another way; a failure of standard error could not be reported.
   */
  async flush(): Promise<void> {
    if (this.#soon) this.#begin();
    await this.#writing;
    const cause = this.#failure;
    if (cause === undefined || this.#descriptor !== 1) return;
    throw new ProgramError(`the output cannot be written: ${errorMessage(cause)}`, EXIT_CODE.failed, { cause });
  }

  #begin(): void {
    clearImmediate(this.#soon);
    this.#soon = undefined;
    this.#writing ??= this.#drain();
  }

  async #drain(): Promise<void> {
    const send = this.#send ?? ((text: string): Promise<void> => writeWhole(this.#descriptor, text));
    try {
      while (this.#pending !== "") {
        const text = this.#pending;
        this.#pending = "";
        await send(text);
      }
    } catch (error) {
      if (!hasCode(error, "EPIPE")) this.#failure = error;
      this.#closing.abort();
    }
    this.#writing = undefined;
  }
}

/** Milliseconds until a full pipe is tried again that does not wait for its reader, as its other owner has chosen. */
const PAUSE = 2;

/** Rejects with the system's error. */
async function writeWhole(descriptor: number, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; ) {
    const count = await written(descriptor, bytes.subarray(start));
    if (count === 0) await Bun.sleep(PAUSE);
    start += count;
  }
}

/** How many bytes were written; 0 if a pipe is full. Rejects with the system's error. */
const written = (descriptor: number, bytes: Buffer): Promise<number> =>
  new Promise((resolve, reject) => {
    write(descriptor, bytes, (error, count) => {
      if (error && !hasCode(error, "EAGAIN")) reject(error);
      else resolve(error ? 0 : count);
    });
  });

/** Whether a descriptor is a terminal; asks `node:tty`, which is slow to load, only where it may be one. */
export function isTerminal(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isCharacterDevice() || stats.rdev === statSync("/dev/null", { throwIfNoEntry: false })?.rdev)
      return false;
  } catch {
    return false;
  }
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/** Whether the user's terminal can move its cursor. */
export const canMoveCursor = (environment: Environment): boolean => environment["TERM"] !== "dumb";

export type Colour = "red" | "green" | "yellow" | "dim" | "bold";

/** Colours a text. */
export type Paint = (colour: Colour, text: string) => string;

const CODES = { red: [31, 39], green: [32, 39], yellow: [33, 39], dim: [2, 22], bold: [1, 22] } as const;

/** Colours only on a terminal, and none if `NO_COLOR` is set or `TERM` is "dumb". */
export function createPaint(output: Output, environment: Environment): Paint {
  if (environment["NO_COLOR"] || environment["TERM"] === "dumb" || !output.isTerminal) return (_colour, text) => text;
  return (colour, text) => {
    const [on, off] = CODES[colour];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
}
