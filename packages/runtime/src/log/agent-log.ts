import { join } from "node:path";
import type { Clock } from "../types/agent.ts";
import { appendLine } from "./append-line.ts";
import { lineText } from "./line-text.ts";
import { localTime } from "./local-time.ts";

/** What an agent writes down for people. */
export interface AgentLog {
  /** Writes one line; resolves when it is in the file, after all that came before. Never rejects. */
  write(message: string): Promise<void>;
  /** Resolves when all that was written so far is in the file. Never rejects. */
  settled(): Promise<void>;
}

export interface LogOptions {
  /** `logs/` of the agent directory, absolute; made when it is missing. */
  readonly directory: string;
  readonly clock: Clock;
  /** Told once when a line could not be written; one line. */
  readonly onWarning?: (message: string) => void;
}

/** A log with a file a day, `<yyyy-mm-dd>.log` by the local date, and a line a message: `<ISO 8601 local time> <message>`. */
export function openLog(options: LogOptions): AgentLog {
  return new DailyLog(options);
}

/** A log that keeps nothing, for agents that leave nothing behind. */
export const silentLog: AgentLog = { write: async () => {}, settled: async () => {} };

class DailyLog implements AgentLog {
  readonly #options: LogOptions;
  #last: Promise<void> = Promise.resolve();
  #warned = false;

  constructor(options: LogOptions) {
    this.#options = options;
  }

  write(message: string): Promise<void> {
    const time = localTime(this.#options.clock.now());
    const path = join(this.#options.directory, `${time.slice(0, 10)}.log`);
    const line = `${time} ${lineText(message)}`;
    this.#last = this.#last.then(() => appendLine(path, line)).catch((error) => this.#warn(error));
    return this.#last;
  }

  settled(): Promise<void> {
    return this.#last;
  }

  #warn(error: unknown): void {
    if (this.#warned) return;
    this.#warned = true;
    this.#options.onWarning?.(`the log could not be written: ${lineText(error)}`);
  }
}
