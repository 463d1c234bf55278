import { type CliOptions, cliCommand, cliEnvironment } from "./run-cli.ts";

const DEADLINE_MILLISECONDS = 100_000;

interface TerminalOptions extends CliOptions {
  /** What runs in place of the program. */
  readonly command?: readonly string[];
}

/** The program on a pseudo-terminal of 80 columns. Ended with the scope that holds it. */
export class TerminalRun implements AsyncDisposable {
  readonly #child: Bun.Subprocess;
  readonly #decoder = new TextDecoder();
  #output = "";

  constructor(args: readonly string[], options: TerminalOptions) {
    this.#child = Bun.spawn([...(options.command ?? cliCommand(args))], {
      cwd: options.cwd ?? options.home,
      env: cliEnvironment(options),
      terminal: {
        cols: 80,
        rows: 24,
        data: (_terminal, data) => {
          this.#output += this.#decoder.decode(data, { stream: true });
        },
      },
    });
  }

  /** All that came so far, escape sequences included. */
  get output(): string {
    return this.#output;
  }

  /** Types. */
  write(keys: string): void {
    this.#child.terminal?.write(keys);
  }

  /** Sends a signal to the program. */
  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Resolves when the text has come; rejects when it does not come in a long time. */
  async shows(text: string): Promise<void> {
    const deadline = performance.now() + DEADLINE_MILLISECONDS;
    while (!this.#output.includes(text)) {
      if (performance.now() > deadline)
        throw new Error(`${JSON.stringify(text)} never came; what came: ${this.#output}`);
      await Bun.sleep(10);
    }
  }

  /** Resolves with the exit code when the program has ended and its last output is here. */
  get exited(): Promise<number> {
    return this.#child.exited.then(async (exitCode) => {
      // The last output may come after the end of the process.
      for (let size = -1; size !== this.#output.length; await Bun.sleep(50)) size = this.#output.length;
      return exitCode;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
    this.#child.terminal?.close();
  }
}
