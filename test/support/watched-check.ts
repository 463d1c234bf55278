import { type CliOptions, cliCommand, cliEnvironment } from "./run-cli.ts";

/** What one check of `mdx-ai check --watch --json` tells. */
export interface WatchReport {
  readonly errors: number;
  readonly warnings: number;
}

const DEADLINE_MILLISECONDS = 100_000;

/** `mdx-ai check --watch --json`, check by check. Ended with the scope that holds it. */
export class WatchedCheck implements AsyncDisposable {
  readonly #child: Bun.Subprocess<"ignore", "pipe", "inherit">;
  readonly #reports: WatchReport[] = [];
  #read = 0;

  constructor(directory: string, options: CliOptions) {
    this.#child = Bun.spawn(cliCommand(["check", directory, "--watch", "--json"]), {
      cwd: options.cwd ?? options.home,
      env: cliEnvironment(options),
      stdio: ["ignore", "pipe", "inherit"],
    });
    void this.#collect();
  }

  /** How many checks there were. */
  get count(): number {
    return this.#reports.length;
  }

  /** The next check that was not read yet; rejects when none comes in a long time. */
  async next(): Promise<WatchReport> {
    const deadline = performance.now() + DEADLINE_MILLISECONDS;
    for (;;) {
      const report = this.#reports[this.#read];
      if (report !== undefined) {
        this.#read += 1;
        return report;
      }
      if (performance.now() > deadline) throw new Error(`no further check came after ${JSON.stringify(this.#reports)}`);
      await Bun.sleep(10);
    }
  }

  /** The next check of which something holds: a change in several steps may be seen in between. */
  async last(holds: (report: WatchReport) => boolean): Promise<WatchReport> {
    for (;;) {
      const report = await this.next();
      if (holds(report)) return report;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }

  async #collect(): Promise<void> {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of this.#child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const report: WatchReport = JSON.parse(line);
        this.#reports.push(report);
      }
    }
  }
}
