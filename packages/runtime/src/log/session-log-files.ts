import { lstatSync, renameSync } from "node:fs";
import { join } from "node:path";
import { attempt, isRecord, jsonValue } from "@mdx-ai/base";
import { appendLines, readLines, readPrivateFile } from "@mdx-ai/base/disk";
import { sessionLogName } from "@mdx-ai/sessions";
import { DeferredWork, type LogOptions } from "./agent-log.ts";
import { recordLine, type SessionRecord } from "./session-record.ts";

/** Pending work, in order. */
type Task =
  | { readonly type: "record"; readonly session: string; readonly record: () => SessionRecord }
  | { readonly type: "continue"; readonly session: string; readonly turn: number }
  | { readonly type: "setAside"; readonly session: string; readonly time: number };

/** The append-only files `logs/<session>.jsonl`. Records that cannot be written are lost, with one warning; nothing else fails. */
export class SessionLogFiles {
  readonly #options: LogOptions;
  readonly #writing: DeferredWork;
  /** For sessions whose prompt is resumed. */
  readonly #written = new Map<string, WrittenRecords>();
  #pending: Task[] = [];

  constructor(options: LogOptions) {
    this.#options = options;
    const { onWarning } = options;
    const failure = "the log of a session could not be written";
    this.#writing = new DeferredWork(() => this.#flush(), { failure, onWarning });
  }

  /** Schedules a record to be created and written while the model answers. */
  note(session: string, record: () => SessionRecord): void {
    this.#add({ type: "record", session, record });
  }

  /** The next records describe an interrupted prompt from its beginning. Records that are already in the file are skipped. */
  continue(session: string, turn: number): void {
    this.#add({ type: "continue", session, turn });
  }

  /** Renames the session's file, adding the time (milliseconds since 1970). The next record starts a new file. */
  setAside(session: string, time: number): void {
    this.#add({ type: "setAside", session, time });
  }

  /** Resolves when all records so far are in their files. Never rejects. */
  settled(): Promise<void> {
    return this.#writing.settled();
  }

  #add(task: Task): void {
    this.#pending.push(task);
    this.#writing.soon();
  }

  /** Runs all pending tasks, even after a failure; then throws the first failure. */
  #flush(): void {
    const failures: unknown[] = [];
    const collectFailure = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        failures.push(error);
      }
    };
    for (const [session, tasks] of Map.groupBy(this.#pending.splice(0), (task) => task.session)) {
      const lines: string[] = [];
      const write = (): void => {
        const block = lines.splice(0);
        if (block.length > 0) appendLines(this.#path(session), block);
      };
      for (const task of tasks) {
        if (task.type === "record") {
          lines.push(...this.#newLines(task.record()));
        } else {
          collectFailure(write);
          collectFailure(() => this.#prepare(task));
        }
      }
      collectFailure(write);
    }
    if (failures.length > 0) throw failures[0];
  }

  /** The line of a record; undefined if the file has it already. */
  #newLines(record: SessionRecord): readonly string[] {
    const line = recordLine(record, this.#options.redactor);
    const written = this.#written.get(record.session_id);
    if (written?.turn === record.turn) return written.takes(line) ? [] : [line];
    // The prompt is over.
    this.#written.delete(record.session_id);
    return [line];
  }

  #prepare(task: Exclude<Task, { type: "record" }>): void {
    const path = this.#path(task.session);
    this.#written.delete(task.session);
    if (task.type === "continue") this.#written.set(task.session, new WrittenRecords(path, task.turn));
    else if (statsOf(path)?.isFile()) renameSync(path, this.#freeName(task.session, task.time));
  }

  /** An archived log is never replaced: if the name of its millisecond is taken, the next millisecond is used. */
  #freeName(session: string, time: number): string {
    const path = this.#path(session, time);
    return statsOf(path) ? this.#freeName(session, time + 1) : path;
  }

  #path(session: string, setAside?: number): string {
    return join(this.#options.directory, sessionLogName(session, setAside));
  }
}

const statsOf = (path: string) => lstatSync(path, { throwIfNoEntry: false });

/** How many bytes at the end of the file are searched for a prompt's lines. */
const REACH = 8 * 1024 * 1024;

/** The lines that an earlier process wrote for an interrupted prompt. */
class WrittenRecords {
  readonly turn: number;
  readonly #counts = new Map<string, number>();

  /** Reads the end of a session's log. On failure, no line counts as written. Never throws. */
  constructor(path: string, turn: number) {
    this.turn = turn;
    // A duplicate line does less harm than a lost one.
    attempt(() =>
      readPrivateFile(path, (descriptor, { size }) =>
        readLines(descriptor, (line) => this.#add(line), { from: Math.max(0, size - REACH), to: size }),
      ),
    );
  }

  /** Whether the line of a record is in the file already. Each line of the file matches once. */
  takes(line: string): boolean {
    const key = keyOf(parsed(line));
    const count = this.#counts.get(key) ?? 0;
    if (count > 0) this.#counts.set(key, count - 1);
    return count > 0;
  }

  #add(line: string): void {
    const record = parsed(line);
    if (record["turn"] !== this.turn) return;
    const key = keyOf(record);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }
}

/** A record without its times: a resumed loop repeats everything else. */
const keyOf = (record: object): string => JSON.stringify({ ...record, ts: "", latency_ms: null });

function parsed(line: string): Readonly<Record<string, unknown>> {
  const value = jsonValue(line);
  return isRecord(value) ? value : {};
}
