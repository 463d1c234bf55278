import { lstatSync, type Stats } from "node:fs";
import { errorMessage } from "../error-message.ts";
import type { Spending } from "../types/event.ts";
import { placeBefore, readLines } from "./file-lines.ts";
import { appendLedgerLine, readLedgerFile } from "./ledger-file.ts";
import { isLedgerLine, type LedgerLine } from "./ledger-line.ts";
import { isWithinDay, type LocalDay, localDay } from "./local-day.ts";
import { addAnswer, noSpending, totalTokens } from "./spending.ts";

export interface LedgerOptions {
  /** `state/usage.jsonl` of the agent directory. Absolute. */
  readonly path: string;
  /** Nothing is written: what this process spends is counted while it lives. */
  readonly isEphemeral?: () => boolean;
  /** Told once when the file cannot be written or read; one line. */
  readonly onWarning?: (message: string) => void;
}

/** What was read of the file. */
interface Seen {
  readonly day: LocalDay;
  readonly inode: number;
  /** Where the next look begins. */
  readonly place: number;
  readonly spending: Spending;
}

/** Two processes may write lines in another order than that of their times, by as many milliseconds at most. */
const DISORDER = 3_600_000;

/** What an agent spends, over all its sessions and processes: a line an answer. */
export class Ledger {
  readonly #options: LedgerOptions;
  #seen: Seen | undefined;
  /** Lines of this process that are not in the file. */
  #unwritten: LedgerLine[] = [];
  #warned = false;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /**
   * Writes a line down without waiting for the disk; of an answer that took no tokens there is none. What cannot be
   * written counts all the same, and is tried again with the next line. Never throws.
   */
  record(line: LedgerLine): void {
    if (totalTokens(line) === 0) return;
    this.#unwritten.push(line);
    if (this.#options.isEphemeral?.()) return;
    try {
      for (let next = this.#unwritten[0]; next; next = this.#unwritten[0]) {
        appendLedgerLine(this.#options.path, JSON.stringify(next));
        this.#unwritten.shift();
      }
    } catch (error) {
      this.#warn(error);
    }
  }

  /**
   * What was spent on the local day of `now` (milliseconds since 1970), by other processes too. Reads what is new since
   * the last look alone, and of a long file the end. Lines that cannot be understood do not count. Never throws.
   */
  today(now: number): Spending {
    const day = localDay(now);
    try {
      this.#look(day);
    } catch (error) {
      this.#seen = undefined;
      this.#warn(error);
    }
    const ofDay = this.#unwritten.filter((line) => isWithinDay(day, Date.parse(line.at)));
    return ofDay.reduce(addLine, this.#seen?.spending ?? noSpending);
  }

  #look(day: LocalDay): void {
    const { path } = this.#options;
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) {
      this.#seen = undefined;
    } else if (!this.#isCurrent(day, stats) || stats.size !== this.#seen?.place) {
      readLedgerFile(path, (descriptor, opened) => this.#read(descriptor, opened, day));
    }
  }

  #read(descriptor: number, stats: Stats, day: LocalDay): void {
    const before = this.#isCurrent(day, stats) ? this.#seen : undefined;
    const from = before?.place ?? placeBefore(descriptor, stats.size, (line) => isOlder(line, day));
    let spending = before?.spending ?? noSpending;
    const place = readLines(descriptor, { from, to: stats.size }, (text) => {
      const line = parseLine(text);
      if (line && isWithinDay(day, Date.parse(line.at))) spending = addLine(spending, line);
    });
    this.#seen = { day, inode: stats.ino, place, spending };
  }

  /** Whether what was seen goes on in this day and file; one that became shorter is another one. */
  #isCurrent(day: LocalDay, { ino, size }: Stats): boolean {
    const seen = this.#seen;
    return seen !== undefined && seen.day.start === day.start && seen.inode === ino && seen.place <= size;
  }

  #warn(error: unknown): void {
    if (this.#warned) return;
    this.#warned = true;
    const reason = errorMessage(error);
    this.#options.onWarning?.(
      `state/usage.jsonl cannot be used (${reason}); of today, only what this process spends is counted`,
    );
  }
}

function addLine(spending: Spending, line: LedgerLine): Spending {
  const { latency = 0, usd } = line;
  return addAnswer(spending, { usage: line, latency }, usd);
}

function isOlder(text: string, { start }: LocalDay): boolean {
  const line = parseLine(text);
  return line !== undefined && Date.parse(line.at) < start - DISORDER;
}

function parseLine(text: string): LedgerLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isLedgerLine(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
