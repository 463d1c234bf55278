import { lstat, rename } from "node:fs/promises";
import { join } from "node:path";
import type { LogOptions } from "./agent-log.ts";
import { appendLine } from "./append-line.ts";
import { DeferredWork } from "./deferred-work.ts";
import { lineText } from "./line-text.ts";
import { sessionLogName } from "./session-log-name.ts";
import { recordLine, type SessionRecord } from "./session-record.ts";
import { WrittenRecords } from "./written-records.ts";

/** What waits to be done, in the order in which it came. */
type Task =
  | { readonly type: "record"; readonly session: string; readonly record: SessionRecord }
  | { readonly type: "continue"; readonly session: string; readonly turn: number }
  | { readonly type: "setAside"; readonly session: string; readonly time: number };

/** Lines of one file that follow each other. */
interface Lines {
  readonly session: string;
  readonly lines: string[];
}

/** The files `logs/<session>.jsonl`, only ever added to. What cannot be written is lost, with one warning, and stops nothing. */
export class SessionLogFiles {
  readonly #options: LogOptions;
  readonly #writing: DeferredWork;
  /** Of sessions whose prompt is worked off again. */
  readonly #written = new Map<string, WrittenRecords>();
  #waiting: Task[] = [];

  constructor(options: LogOptions) {
    this.#options = options;
    this.#writing = new DeferredWork(
      () => this.#flush(),
      (error) => options.onWarning?.(`the log of a session could not be written: ${lineText(error)}`),
    );
  }

  /** Writes a record soon, out of the way of what is going on. */
  note(record: SessionRecord): void {
    this.#add({ type: "record", session: record.session_id, record });
  }

  /** What comes next tells a prompt that a crash cut short from its beginning; what is written of it is not written again. */
  continue(session: string, turn: number): void {
    this.#add({ type: "continue", session, turn });
  }

  /** Keeps the session's file under another name, which tells the time (milliseconds since 1970); the next record begins a new one. */
  setAside(session: string, time: number): void {
    this.#add({ type: "setAside", session, time });
  }

  /** Resolves when all that was noted so far is in its file. Never rejects. */
  settled(): Promise<void> {
    return this.#writing.settled();
  }

  #add(task: Task): void {
    this.#waiting.push(task);
    this.#writing.soon();
  }

  /** Does all that waits, the rest of it also where a part fails; then rejects with the first failure. */
  async #flush(): Promise<void> {
    const failures: unknown[] = [];
    const attempt = (work: Promise<void>): Promise<void> => work.catch((error) => void failures.push(error));
    let pending: Lines | undefined;
    for (const task of this.#waiting.splice(0)) {
      if (pending && (task.type !== "record" || task.session !== pending.session)) {
        await attempt(this.#write(pending));
        pending = undefined;
      }
      if (task.type === "record") {
        const line = recordLine(task.record, this.#options.redactor);
        if (this.#isWritten(task.record, line)) continue;
        pending ??= { session: task.session, lines: [] };
        pending.lines.push(line);
      } else {
        await attempt(this.#prepare(task));
      }
    }
    if (pending) await attempt(this.#write(pending));
    if (failures.length > 0) throw failures[0];
  }

  #isWritten(record: SessionRecord, line: string): boolean {
    const written = this.#written.get(record.session_id);
    if (written?.turn === record.turn) return written.takes(line);
    // The prompt is past.
    this.#written.delete(record.session_id);
    return false;
  }

  #write({ session, lines }: Lines): Promise<void> {
    return appendLine(this.#path(session), lines.join("\n"));
  }

  async #prepare(task: Exclude<Task, { type: "record" }>): Promise<void> {
    const path = this.#path(task.session);
    this.#written.delete(task.session);
    if (task.type === "continue") {
      this.#written.set(task.session, await WrittenRecords.read(path, task.turn));
    } else if (await isFile(path)) {
      await rename(path, await this.#freeName(task));
    }
  }

  /** No file that was set aside is ever replaced: one of the same millisecond is followed by the next one's name. */
  async #freeName({ session, time }: { readonly session: string; readonly time: number }): Promise<string> {
    for (let moment = time; ; moment++) {
      const path = this.#path(session, moment);
      if (!(await isThere(path))) return path;
    }
  }

  #path(session: string, setAside?: number): string {
    return join(this.#options.directory, sessionLogName(session, setAside));
  }
}

const isThere = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined)) !== undefined;

const isFile = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined))?.isFile() === true;
