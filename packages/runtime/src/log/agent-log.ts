import { join } from "node:path";
import { type Clock, lineText, noRedactor, type Redactor } from "@mdx-ai/base";
import { appendLines, localTimes } from "@mdx-ai/base/disk";

/** A one-line message, or a function that creates it on writing; undefined writes no line. */
type LogMessage = string | (() => string | undefined);

/** The readable log of an agent. */
export interface AgentLog {
  /** Schedules a line to be written while the model answers. */
  note(message: LogMessage): void;
  /** Writes a line; resolves when it and all earlier ones are in the file. Never rejects. */
  write(message: string): Promise<void>;
  /** Resolves when all earlier lines are in the file. Never rejects. */
  settled(): Promise<void>;
}

export interface LogOptions {
  /** The folder of the logs. Absolute. Created if missing. */
  readonly directory: string;
  readonly clock: Clock;
  /** Redacts each line. Absent: lines are written unchanged. */
  readonly redactor?: Redactor;
  /** Called once, with one line, when a log could not be written. */
  readonly onWarning?: (message: string) => void;
}

/** Discards everything, for ephemeral agents. */
export const silentLog: AgentLog = { note: () => {}, write: async () => {}, settled: async () => {} };

interface LogWatch {
  readonly redactor: Redactor;
  /** Receives each message as one redacted line. */
  readonly onLine: ((line: string) => void) | undefined;
}

/** The same log with a watcher. */
export function watchedLog(log: AgentLog, { redactor, onLine }: LogWatch): AgentLog {
  if (onLine === undefined) return log;
  const show = (message: string): void => onLine(lineText(redactor.text(message)));
  return {
    note(message) {
      const text = textOf(message);
      if (text === undefined) return;
      show(text);
      log.note(text);
    },
    write(message) {
      show(message);
      return log.write(message);
    },
    settled: () => log.settled(),
  };
}

const textOf = (message: LogMessage): string | undefined => (typeof message === "string" ? message : message());

/** A log with one file per local day, `<yyyy-mm-dd>.log`, and one line per message: `<ISO 8601 local time> <message>`. */
export function openLog({ directory, clock, redactor = noRedactor, onWarning }: LogOptions): AgentLog {
  const pending: { readonly time: number; readonly message: LogMessage }[] = [];
  const flush = (): void => {
    const timeText = localTimes();
    const lines = pending.splice(0).flatMap(({ time, message }) => {
      const text = textOf(message);
      return text === undefined ? [] : `${timeText(time)} ${lineText(redactor.text(text))}`;
    });
    for (const [day, ofDay] of Map.groupBy(lines, (line) => line.slice(0, 10))) {
      appendLines(join(directory, `${day}.log`), ofDay);
    }
  };
  const writing = new DeferredWork(flush, { failure: "the log could not be written", onWarning });
  const note = (message: LogMessage): void => {
    pending.push({ time: clock.now(), message });
    writing.soon();
  };
  const settled = (): Promise<void> => writing.settled();
  return {
    note,
    write(message) {
      note(message);
      return settled();
    },
    settled,
  };
}

/** Delay of the work in milliseconds: long enough to send the first request before. */
const DELAY = 100;

export interface DeferredWorkOptions {
  /** Begins the warning about a failure, such as "the log could not be written". */
  readonly failure: string;
  /** Receives one line on the first failure. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** Defers disk work until the model answers. Runs never overlap. */
export class DeferredWork {
  readonly #work: () => void | Promise<void>;
  readonly #options: DeferredWorkOptions;
  #done: Promise<void> = Promise.resolve();
  #timer: Timer | undefined;
  #hasWarned = false;

  /** `work` processes everything that is pending when it starts. */
  constructor(work: () => void | Promise<void>, options: DeferredWorkOptions) {
    this.#work = work;
    this.#options = options;
  }

  /** Schedules the work. Does not keep the process alive. */
  soon(): void {
    this.#timer ??= setTimeout(() => void this.settled(), DELAY).unref();
  }

  /** Runs scheduled work now; resolves when all of it is done. Never rejects. */
  settled(): Promise<void> {
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#done = this.#done.then(() => this.#run());
    }
    return this.#done;
  }

  async #run(): Promise<void> {
    try {
      await this.#work();
    } catch (error) {
      const { failure, onWarning } = this.#options;
      if (!this.#hasWarned) onWarning?.(`${failure}: ${lineText(error)}`);
      this.#hasWarned = true;
    }
  }
}
