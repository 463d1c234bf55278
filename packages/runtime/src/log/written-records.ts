import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { jsonValue } from "../json-value.ts";

/** How far back a prompt's lines are looked for, in bytes: what a process wrote last is at the end. */
const REACH = 8 * 1024 * 1024;

/** The lines that an earlier process wrote of a prompt that a crash cut short. */
export class WrittenRecords {
  readonly turn: number;
  readonly #counts = new Map<string, number>();

  private constructor(turn: number) {
    this.turn = turn;
  }

  /** Reads the end of a session's log. Where that fails, nothing counts as written. Never rejects. */
  static async read(path: string, turn: number): Promise<WrittenRecords> {
    const written = new WrittenRecords(turn);
    const lines = await lastLines(path).catch(() => []);
    for (const line of lines) written.#add(line);
    return written;
  }

  /** Whether a record, as its line, stands in the file already; each that does is found once. */
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

/** What a record says, whenever it was told: a loop that goes the same way again tells all but the times again. */
const keyOf = (record: object): string => JSON.stringify({ ...record, ts: "", latency_ms: null });

function parsed(line: string): object | undefined {
  const value = jsonValue(line);
  return typeof value === "object" && value !== null ? value : undefined;
}

async function lastLines(path: string): Promise<readonly string[]> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    return (await textFrom(file)).split("\n");
  } finally {
    await file.close();
  }
}

/** The end of a regular file; of anything else nothing. */
async function textFrom(file: FileHandle): Promise<string> {
  const stats = await file.stat();
  if (!stats.isFile()) return "";
  const length = Math.min(REACH, stats.size);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, stats.size - length);
  return buffer.toString("utf8", 0, bytesRead);
}
