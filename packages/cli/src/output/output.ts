import { fstatSync, statSync, write } from "node:fs";
import { type Environment, errorMessage, type Redactor } from "@mdx-ai/base";
import { EXIT_CODE, ProgramError } from "../failures/program-error.ts";

/** Writes a text. Rejects on failure. */
type Send = (text: string) => Promise<unknown>;

/**
 * Standard output or standard error. Texts are collected until the event loop is idle and then written at once. `process.stdout` would take
 * ten milliseconds to create, and `Bun.write` repeats the start of a text if a non-blocking pipe is full.
 */
export class Output {
  readonly #descriptor: number;
  readonly #redactor: Redactor | undefined;
  readonly #send: Send | undefined;
  readonly #closing = new AbortController();
  /** Fires when writing is no longer possible, for example because the reader of a pipe has gone. */
  readonly closed: AbortSignal = this.#closing.signal;
  #pending = "";
  #soon: NodeJS.Immediate | undefined;
  #writing: Promise<void> | undefined;
  #failure: unknown;
  #isTerminal: boolean | undefined;

  /** Redacts texts if there is a redactor. With `send`, texts go there instead, and the output is not a terminal. */
  constructor(descriptor: number, redactor?: Redactor, send?: Send) {
    this.#send = send;
    this.#descriptor = descriptor;
    this.#redactor = redactor;
  }

  get isTerminal(): boolean {
    this.#isTerminal ??= this.#send === undefined && isTerminal(this.#descriptor);
    return this.#isTerminal;
  }

  /** Redacts a text as `write` would. Call it before cutting or wrapping, which could break a key in two. */
  redacted(text: string): string {
    return this.#redactor?.text(text) ?? text;
  }

  /** Never throws. Drops text after the stream was closed. */
  write(text: string): void {
    if (text === "" || this.#closing.signal.aborted) return;
    this.#pending += this.redacted(text);
    if (this.#writing === undefined) this.#soon ??= setImmediate(() => this.#begin());
  }

  /**
   * Resolves when all text is written or the reader has gone. Rejects with `ProgramError` if standard output failed in another way; a
   * failure of standard error cannot be reported.
   */
  async flush(): Promise<void> {
    if (this.#soon) this.#begin();
    await this.#writing;
    const cause = this.#failure;
    if (cause === undefined || this.#descriptor === 2) return;
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

/** Milliseconds before a full non-blocking pipe is retried. */
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

/** The number of bytes written; 0 if a pipe is full. Rejects with the system's error. */
const written = (descriptor: number, bytes: Buffer): Promise<number> =>
  new Promise((resolve, reject) => {
    write(descriptor, bytes, (error, count) => {
      if (error && !hasCode(error, "EAGAIN")) reject(error);
      else resolve(error ? 0 : count);
    });
  });

/** Whether a descriptor is a terminal. Loads `node:tty`, which is slow, only for character devices. */
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

/** Whether output may be redrawn: the terminal can move its cursor, and `ACCESSIBLE` does not tell of a screen reader. */
export const canRedraw = ({ TERM, ACCESSIBLE = "" }: Environment): boolean =>
  TERM !== "dumb" && /^(?:0|false|no|off)?$/i.test(ACCESSIBLE);

export type Colour = "red" | "green" | "yellow" | "dim" | "bold";

/** Colours a text. */
export type Paint = (colour: Colour, text: string) => string;

const CODES = { red: [31, 39], green: [32, 39], yellow: [33, 39], dim: [2, 22], bold: [1, 22] } as const;

/** Colours only on a terminal, and not if `NO_COLOR` is set or `TERM` is "dumb". */
export function createPaint(output: Output, environment: Environment): Paint {
  if (environment["NO_COLOR"] || environment["TERM"] === "dumb" || !output.isTerminal) return (_colour, text) => text;
  return (colour, text) => {
    const [on, off] = CODES[colour];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
}
