import { readLines } from "../files/read-lines.ts";
import { readOwnFile } from "../files/read-whole-file.ts";
import { jsonValue } from "../json-value.ts";

/** How far back a prompt's lines are looked for, in bytes: what a process wrote last is at the end. */
const REACH = 8 * 1024 * 1024;

/** The lines that an earlier process wrote for a prompt that a crash interrupted. */
export class WrittenRecords {
  readonly turn: number;
  readonly #counts = new Map<string, number>();

  /** Reads the end of a session's log. If that fails, nothing counts as written. Never throws. */
  constructor(path: string, turn: number) {
    this.turn = turn;
    try {
      readOwnFile(path, (descriptor, { size }) =>
        readLines(descriptor, (line) => this.#add(line), { from: Math.max(0, size - REACH), to: size }),
      );
    } catch {
      // A line that is written twice does less harm than one that is lost.
    }
  }

  /** Whether a record, as its line, is in the file already; each line of the file is found once. */
  takes(line: string): boolean {
    const key = keyOf(parsed(line) ?? {});
    const count = this.#counts.get(key) ?? 0;
    if (count > 0) this.#counts.set(key, count - 1);
    return count > 0;
  }

  #add(line: string): void {
    const record = parsed(line);
    if (record === undefined || !("turn" in record) || record.turn !== this.turn) return;
    const key = keyOf(record);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }
}

/** A record without its times: a loop that runs again writes all but those again. */
const keyOf = (record: object): string => JSON.stringify({ ...record, ts: "", latency_ms: null });

function parsed(line: string): object | undefined {
  const value = jsonValue(line);
  return typeof value === "object" && value !== null ? value : undefined;
}
