import { SIGNAL_EXIT_CODE } from "./failures/program-error.ts";

/** A terminal and a launcher may both forward the same Ctrl+C. A second one counts only after this many milliseconds. */
const INSISTING_MILLISECONDS = 500;

/** Handles requests of the user or the system to stop the program. */
export class Interruption {
  readonly #controller = new AbortController();
  readonly #insistence = Promise.withResolvers<number>();
  readonly #listeners: (readonly [name: NodeJS.Signals, listener: () => void])[] = [];
  #exitCode: number | undefined;
  #first = 0;

  /** Resolves with the exit code when a second signal demands an immediate exit. */
  readonly insisted: Promise<number> = this.#insistence.promise;

  /** 128 + the number of the received signal; undefined if none was received. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /**
   * Makes SIGINT, SIGTERM and SIGHUP abort the returned signal instead of ending the process. With `onHangUp`, SIGHUP only calls it, as
   * services expect.
   */
  listen(onHangUp?: () => void): AbortSignal {
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      const interrupt = (): void => this.#interrupt(SIGNAL_EXIT_CODE[name]);
      const listener = name === "SIGHUP" ? (onHangUp ?? interrupt) : interrupt;
      process.on(name, listener);
      this.#listeners.push([name, listener]);
    }
    return this.#controller.signal;
  }

  /** Stops handling signals. */
  release(): void {
    for (const [name, listener] of this.#listeners.splice(0)) process.off(name, listener);
  }

  /** Restores the default signal handling during work that may block the event loop, such as parsing untrusted files. */
  readonly unheard = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (const [name, listener] of this.#listeners) process.off(name, listener);
    try {
      return await work();
    } finally {
      for (const [name, listener] of this.#listeners) process.on(name, listener);
    }
  };

  #interrupt(exitCode: number): void {
    const now = performance.now();
    if (this.#exitCode === undefined) {
      this.#exitCode = exitCode;
      this.#first = now;
      this.#controller.abort();
    } else if (now - this.#first > INSISTING_MILLISECONDS) {
      this.#insistence.resolve(exitCode);
    }
  }
}
