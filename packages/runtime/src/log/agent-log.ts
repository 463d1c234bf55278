import { join } from "node:path";
import { noRedactor, type Redactor } from "../redaction/redactor.ts";
import type { Clock } from "../types/agent.ts";
import { appendLine } from "./append-line.ts";
import { DeferredWork } from "./deferred-work.ts";
import { lineText } from "./line-text.ts";
import { localTime } from "./local-time.ts";

/** What an agent writes down for people. */
export interface AgentLog {
  /** Writes one line soon, out of the way of what is going on. */
  note(message: string): void;
  /** Writes one line; resolves when it is in the file, after all that came before. Never rejects. */
  write(message: string): Promise<void>;
  /** Resolves when all that was written so far is in the file. Never rejects. */
  settled(): Promise<void>;
}

export interface LogOptions {
  /** `logs/` of the agent directory, absolute; made when it is missing. */
  readonly directory: string;
  readonly clock: Clock;
  /** What it takes out is not written; nothing where absent. */
  readonly redactor?: Redactor;
  /** Told once when a line could not be written; one line. */
  readonly onWarning?: (message: string) => void;
}

/** A log with a file a day, `<yyyy-mm-dd>.log` by the local date, and a line a message: `<ISO 8601 local time> <message>`. */
export function openLog(options: LogOptions): AgentLog {
  return new DailyLog(options);
}

/** A log that keeps nothing, for agents that leave nothing behind. */
export const silentLog: AgentLog = { note: () => {}, write: async () => {}, settled: async () => {} };

interface Entry {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly message: string;
}

class DailyLog implements AgentLog {
  readonly #options: LogOptions;
  readonly #writing: DeferredWork;
  #waiting: Entry[] = [];

  constructor(options: LogOptions) {
    this.#options = options;
    this.#writing = new DeferredWork(
      () => this.#flush(),
      (error) => options.onWarning?.(`the log could not be written: ${lineText(error)}`),
    );
  }

  note(message: string): void {
    this.#waiting.push({ time: this.#options.clock.now(), message });
    this.#writing.soon();
  }

  write(message: string): Promise<void> {
    this.note(message);
    return this.settled();
  }

  settled(): Promise<void> {
    return this.#writing.settled();
  }

  async #flush(): Promise<void> {
    const { redactor = noRedactor } = this.#options;
    const lines = this.#waiting
      .splice(0)
      .map(({ time, message }) => `${localTime(time)} ${lineText(redactor.text(message))}`);
    for (const [day, ofDay] of Map.groupBy(lines, (line) => line.slice(0, 10))) {
      await appendLine(join(this.#options.directory, `${day}.log`), ofDay.join("\n"));
    }
  }
}
