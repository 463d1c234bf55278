import { fstatSync } from "node:fs";

/** A standard stream cannot be written, for another reason than that its reader went away. */
export class OutputError extends Error {
  override readonly name = "OutputError";

  constructor(cause: unknown) {
    super(`the output cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/**
 * Standard output or standard error. Text goes out at once; what comes while a write is under way goes out together
 * with the next one. `Bun.write` is used because `process.stdout` costs ten milliseconds to make.
 */
export class Output {
  readonly #descriptor: 1 | 2;
  readonly #closing = new AbortController();
  #pending = "";
  #writing: Promise<void> | undefined;
  #failure: unknown;
  #isTerminal: boolean | undefined;

  constructor(descriptor: 1 | 2) {
    this.#descriptor = descriptor;
  }

  /** Fires when nothing can be written any more, such as when the reader of a pipe went away. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  get isTerminal(): boolean {
    this.#isTerminal ??= isTerminal(this.#descriptor);
    return this.#isTerminal;
  }

  /** Never throws; what is written after the stream was closed is dropped. */
  write(text: string): void {
    if (text === "" || this.#closing.signal.aborted) return;
    this.#pending += text;
    this.#writing ??= this.#drain();
  }

  /** Settles when all is written or the reader is gone. Rejects with `OutputError` where something else was wrong. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#failure !== undefined) throw new OutputError(this.#failure);
  }

  async #drain(): Promise<void> {
    const file = this.#descriptor === 1 ? Bun.stdout : Bun.stderr;
    try {
      while (this.#pending !== "") {
        const text = this.#pending;
        this.#pending = "";
        await Bun.write(file, text);
      }
    } catch (error) {
      if (!isBrokenPipe(error)) this.#failure = error;
      this.#closing.abort();
    }
    this.#writing = undefined;
  }
}

/** Whether a descriptor is a terminal; asks `node:tty`, which is slow to load, only where it may be one. */
export function isTerminal(descriptor: number): boolean {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false;
  } catch {
    return false;
  }
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}

const isBrokenPipe = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EPIPE";
