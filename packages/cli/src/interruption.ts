import { SIGNAL_EXIT_CODE } from "./failures/program-error.ts";

/** A terminal and a launcher may both send the same Ctrl+C; a second one counts only after this many milliseconds. */
const INSISTING_MILLISECONDS = 500;

/** The requests of the user or the system to stop the program. */
export class Interruption {
  readonly #controller = new AbortController();
  readonly #insistence = Promise.withResolvers<number>();
  readonly #listeners: (readonly [name: NodeJS.Signals, listener: () => void])[] = [];
  #exitCode: number | undefined;
  #first = 0;

  /** Resolves with the exit code when a second signal asks to end at once. */
  readonly insisted: Promise<number> = this.#insistence.promise;

  /** 128 + the number of the signal that came; undefined before. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** From now on SIGINT, SIGTERM and SIGHUP fire the returned signal instead of ending the process. */
  listen(): AbortSignal {
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      const listener = (): void => this.#interrupt(SIGNAL_EXIT_CODE[name]);
      process.on(name, listener);
      this.#listeners.push([name, listener]);
    }
    return this.#controller.signal;
  }

  /** Stops handling signals. */
  release(): void {
    for (const [name, listener] of this.#listeners.splice(0)) process.off(name, listener);
  }

  /**
   * Does work that may keep the process too busy to handle a signal, such as parsing foreign files; meanwhile a
   * signal ends the process at once.
   */
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
