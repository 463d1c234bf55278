import { lstatSync, type Stats } from "node:fs";
import { errorMessage, isAmount, isRecord, jsonValue, warnOnce } from "@mdx-ai/base";
import { appendLines, isNewer, NewerVersionError, offsetOfRecent, readLines, readPrivateFile } from "@mdx-ai/base/disk";
import { addAnswer, type Cost, noCost } from "@mdx-ai/loop";
import type { Usage } from "@mdx-ai/models";

/** The version of the format, in each line. */
const USAGE_VERSION = 1;

/** One line of `state/usage.jsonl`: the tokens and the cost of one model answer. */
export interface UsageLine extends Usage {
  /** When it ended, ISO 8601 in UTC. */
  readonly at: string;
  readonly session: string;
  /** The number of the prompt within the session. */
  readonly prompt: number;
  /** `vendor/name`. */
  readonly model: string;
  /** The agent that asked, if it works for this one; as `Question.agent`. */
  readonly agent?: string;
  /** US dollars; absent if the price is unknown. */
  readonly usd?: number;
  /** Milliseconds. */
  readonly latency?: number;
}

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

/** The part of the file that has been read. */
interface Seen {
  readonly day: LocalDay;
  readonly inode: number;
  /** The offset of the next read, in bytes. */
  readonly offset: number;
  readonly cost: Cost;
}

/** How far lines of different processes may be out of time order, in milliseconds. */
const DISORDER = 3_600_000;

/** The usage of an agent, over all its sessions and processes: one line per answer. */
export class UsageLog {
  readonly #options: UsageLogOptions;
  #seen: Seen | undefined;
  /** Lines of this process that are not in the file. */
  #unwritten: UsageLine[] = [];
  readonly #warn: (reason: string) => void;

  constructor(options: UsageLogOptions) {
    this.#options = options;
    this.#warn = warnOnce(options.onWarning);
  }

  /**
   * Writes lines without waiting for the disk; none for an answer without tokens. Lines that cannot be written still
   * count, and are retried with the next ones. Never throws.
   */
  record(...lines: readonly UsageLine[]): void {
    this.#unwritten.push(...lines.filter((line) => line.total > 0));
    if (this.#unwritten.length === 0 || this.#options.isKept?.() === false) return;
    try {
      // All or nothing, so that a full disk leads to no duplicate lines.
      appendLines(
        this.#options.path,
        this.#unwritten.map((line) => JSON.stringify({ v: USAGE_VERSION, ...line })),
      );
      this.#unwritten = [];
    } catch (error) {
      this.#warn(unusable(error));
    }
  }

  /**
   * The usage on the local day of `now` (milliseconds since 1970), including other processes. Reads only lines added since
   * the last call, and only the end of a long file. Skips unreadable lines. Never throws.
   */
  today(now: number): Cost {
    const day = localDay(now);
    try {
      this.#look(day);
    } catch (error) {
      this.#seen = undefined;
      this.#warn(unusable(error));
    }
    const ofDay = this.#unwritten.filter((line) => isWithinDay(day, line));
    return ofDay.reduce(addLine, this.#seen?.cost ?? noCost);
  }

  #look(day: LocalDay): void {
    const { path } = this.#options;
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) {
      this.#seen = undefined;
    } else if (!this.#isCurrent(day, stats) || stats.size !== this.#seen?.offset) {
      readPrivateFile(path, (descriptor, opened) => this.#read(descriptor, opened, day));
    }
  }

  #read(descriptor: number, stats: Stats, day: LocalDay): void {
    const before = this.#isCurrent(day, stats) ? this.#seen : undefined;
    const parse = (text: string): UsageLine | undefined => parseLine(text, this.#options.path);
    const from = before?.offset ?? offsetOfRecent(descriptor, stats.size, (text) => isBefore(day, parse(text)));
    let cost = before?.cost ?? noCost;
    const onLine = (text: string): void => {
      const line = parse(text);
      if (line && isWithinDay(day, line)) cost = addLine(cost, line);
    };
    const offset = readLines(descriptor, onLine, { from, to: stats.size });
    this.#seen = { day, inode: stats.ino, offset, cost };
  }

  /** Whether the last read can be continued: same day and file, and the file has not become shorter. */
  #isCurrent(day: LocalDay, { ino, size }: Stats): boolean {
    const seen = this.#seen;
    return seen !== undefined && seen.day.start === day.start && seen.inode === ino && seen.offset <= size;
  }
}

const unusable = (error: unknown): string =>
  `state/usage.jsonl cannot be used (${errorMessage(error)}); for today, only the usage of this process counts`;

const addLine = (cost: Cost, line: UsageLine): Cost =>
  addAnswer(cost, { usage: line, latency: line.latency ?? 0 }, line.usd);

const isBefore = ({ start }: LocalDay, line: UsageLine | undefined): boolean =>
  line !== undefined && Date.parse(line.at) < start - DISORDER;

/** Undefined if unreadable. Throws `NewerVersionError`. */
function parseLine(text: string, path: string): UsageLine | undefined {
  const value = jsonValue(text);
  if (isRecord(value) && isNewer(value["v"], USAGE_VERSION)) throw new NewerVersionError(path);
  return isUsageLine(value) ? value : undefined;
}

const COUNTS = ["prompt", "input", "output", "cacheRead", "cacheWrite", "thinking", "total"] as const;

const isUsageLine = (value: unknown): value is UsageLine =>
  isRecord(value) &&
  value["v"] === USAGE_VERSION &&
  typeof value["at"] === "string" &&
  !Number.isNaN(Date.parse(value["at"])) &&
  typeof value["session"] === "string" &&
  typeof value["model"] === "string" &&
  COUNTS.every((name) => Number.isSafeInteger(value[name]) && isAmount(value[name])) &&
  ["usd", "latency"].every((name) => value[name] === undefined || isAmount(value[name]));

/** A day of the local time zone; milliseconds since 1970. */
interface LocalDay {
  readonly start: number;
  /** The first moment of the next day. */
  readonly end: number;
}

/** The day of a moment; it has 23 to 25 hours when the clocks change. */
export function localDay(time: number): LocalDay {
  const start = new Date(time).setHours(0, 0, 0, 0);
  const date = new Date(start);
  return { start, end: new Date(date.setDate(date.getDate() + 1)).setHours(0, 0, 0, 0) };
}

const isWithinDay = ({ start, end }: LocalDay, { at }: UsageLine): boolean =>
  start <= Date.parse(at) && Date.parse(at) < end;
