import { errorMessage, ifExists, warnOnce } from "@mdx-ai/base";
import { appendLines, readLines, readPrivateFile } from "@mdx-ai/base/disk";
import { type Cost, noCost } from "@mdx-ai/loop";
import { isRaise, lineText, parseUsageLine, type RaiseLine, type UsageLine, type UsageLogLine } from "./usage-line.ts";
import { type Span, type Tally, tallyOf, UsageView, withLine } from "./usage-view.ts";

export interface UsageLogOptions {
  /** `state/usage.jsonl` of the data directory. Absolute. */
  readonly path: string;
  /**
   * Whether lines are written; called for each line, since settings change. If false, the usage of this process counts only while it
   * runs. Default: true.
   */
  readonly isKept?: () => boolean;
  /** Called once, with one line, when the file cannot be written or read. */
  readonly onWarning?: (message: string) => void;
}

/** The usage of an agent, over all its sessions and processes: one line per answer. Deleted sessions stay counted. */
export class UsageLog {
  readonly #options: UsageLogOptions;
  /** Lines of this process that are not in the file. */
  #unwritten: UsageLogLine[] = [];
  #day: UsageView | undefined;
  readonly #all: UsageView;
  readonly #warn: (reason: string) => void;

  constructor(options: UsageLogOptions) {
    this.#options = options;
    this.#all = new UsageView(options.path, ALWAYS);
    this.#warn = warnOnce(options.onWarning);
  }

  /**
   * Writes lines without waiting for the disk; none for an answer without tokens. Lines that cannot be written still
   * count, and are retried with the next ones. Never throws.
   */
  record(...lines: readonly UsageLine[]): void {
    this.#write(lines.filter((line) => line.total > 0));
  }

  /** Allows more than a limit of a session, a day or the agent. Never throws. */
  raise(line: RaiseLine): void {
    this.#write([line]);
  }

  #write(lines: readonly UsageLogLine[]): void {
    this.#unwritten.push(...lines);
    if (this.#unwritten.length === 0 || this.#options.isKept?.() === false) return;
    try {
      // All or nothing, so that a full disk leads to no duplicate lines.
      appendLines(this.#options.path, this.#unwritten.map(lineText));
      this.#unwritten = [];
    } catch (error) {
      this.#warn(unusable(error));
    }
  }

  /** The usage on the local day of `now` (milliseconds since 1970), including other processes. Skips unreadable lines. Never throws. */
  today(now: number): Tally {
    const day = localDay(now);
    if (this.#day?.span.start !== day.start) this.#day = new UsageView(this.#options.path, day);
    return this.#tally(this.#day);
  }

  /** The same for all days. */
  total(): Tally {
    return this.#tally(this.#all);
  }

  /** What one prompt has cost, which began at `since` (milliseconds since 1970), with the agents that work for it. Never throws. */
  ofPrompt({ session, prompt }: Pick<UsageLine, "session" | "prompt">, since: number): Cost {
    let cost = noCost;
    const count = (line: UsageLogLine): void => {
      const isMeant = !isRaise(line) && line.session === session && line.prompt === prompt;
      if (isMeant && Date.parse(line.at) >= since) cost = withLine(cost, line);
    };
    try {
      ifExists(() => readUsageLines(this.#options.path, count));
    } catch (error) {
      this.#warn(unusable(error));
    }
    this.#unwritten.forEach(count);
    return cost;
  }

  #tally(view: UsageView): Tally {
    try {
      return view.tally(this.#unwritten);
    } catch (error) {
      this.#warn(unusable(error));
      return tallyOf(view.span, this.#unwritten);
    }
  }
}

/** Passes on the readable lines of a usage log, in order. Throws the file system's error, or `NewerVersionError`. */
export function readUsageLines(path: string, onLine: (line: UsageLogLine) => void): void {
  readPrivateFile(path, (descriptor, { size }) => {
    const read = (text: string): void => {
      const line = parseUsageLine(text, path);
      if (line) onLine(line);
    };
    readLines(descriptor, read, { from: 0, to: size });
  });
}

const ALWAYS: Span = { start: 0, end: Number.POSITIVE_INFINITY };

const unusable = (error: unknown): string =>
  `state/usage.jsonl cannot be used (${errorMessage(error)}); only the usage of this process counts`;

/** The day of a moment of the local time zone; it has 23 to 25 hours when the clocks change. */
export function localDay(time: number): Span {
  const start = new Date(time).setHours(0, 0, 0, 0);
  const date = new Date(start);
  return { start, end: new Date(date.setDate(date.getDate() + 1)).setHours(0, 0, 0, 0) };
}
