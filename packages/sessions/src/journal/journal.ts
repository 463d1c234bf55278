import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { attempt, type Clock, errorMessage, failureText, isRecord, noRedactor, type Redactor } from "@mdx-ai/base";
import { isNewer, type LineFile, openLineFile, syncFolder } from "@mdx-ai/base/disk";
import { LEASE } from "@mdx-ai/base/locks";

/** The format's version, carried by every line. */
export const JOURNAL_VERSION = 1;

/**
 * One line of `journal.jsonl`: the result of a step, or the marker that a step with side effects was started. A
 * marker `false`: the started step waits for the user's answer, and runs again if its process ends before.
 * Prompts are counted from 1 within a session; the session's own steps belong to prompt 0.
 */
export type JournalLine = LineHead & ({ readonly started: boolean } | { readonly result: unknown });

interface LineHead {
  readonly v: typeof JOURNAL_VERSION;
  readonly prompt: number;
  readonly step: string;
}

/** The step of a line that replaces an unreadable one on reading. It is never written. */
export const UNREADABLE_STEP = "unreadable";

/** The replacement for an unreadable line, after a line of this prompt. */
export const unreadableLine = (prompt: number): JournalLine => ({
  v: JOURNAL_VERSION,
  prompt,
  step: UNREADABLE_STEP,
  started: true,
});

/** The line with the result of a step. Prompt 0: a session step. */
export const resultLine = (prompt: number, step: string, result: unknown): JournalLine => ({
  v: JOURNAL_VERSION,
  prompt,
  step,
  result,
});

/** Whether a parsed JSON value is a line of this version. */
export function isJournalLine(value: unknown): value is JournalLine {
  return (
    isRecord(value) &&
    value["v"] === JOURNAL_VERSION &&
    Number.isSafeInteger(value["prompt"]) &&
    Number(value["prompt"]) >= 0 &&
    typeof value["step"] === "string" &&
    ("result" in value || typeof value["started"] === "boolean")
  );
}

/** Whether a parsed JSON value is a line of a newer version. */
export const isNewerLine = (value: unknown): boolean => isRecord(value) && isNewer(value["v"], JOURNAL_VERSION);

/** The destination of a session's lines. */
export interface Journal {
  /** Passes a line to the operating system, so that it survives a kill of this process. Throws `JournalError`. */
  append(line: JournalLine): void;
  /** Resolves when every line appended so far is on disk. Simultaneous calls share one sync. Rejects with `JournalError`. */
  sync(): Promise<void>;
  /** Whether what is appended can be read again: no other program has removed, replaced or changed the file. */
  isInPlace(): boolean;
  close(): void;
}

/** Discards everything, for runs without a stored session. */
export const forgetfulJournal: Journal = {
  append() {},
  sync: async () => {},
  isInPlace: () => true,
  close() {},
};

/** A journal cannot be read or written. The message names the file and the fix. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

/** Returns the result of `work`. Wraps its errors in a `JournalError` with a message from `text`. */
export function asJournalError<Result>(work: () => Result, text: (cause: unknown) => string = errorMessage): Result {
  try {
    return work();
  } catch (cause) {
    throw cause instanceof JournalError ? cause : new JournalError(text(cause), { cause });
  }
}

export interface JournalFileOptions {
  /** Redacts each line. Absent: lines are written unchanged. */
  readonly redactor?: Redactor | undefined;
  /** The lock of the session. Absent: no other process uses the journal. */
  readonly lease?: JournalLease | undefined;
}

/** A lock that another process takes over if this one is unresponsive for long, as on a machine that slept. */
export interface JournalLease {
  /** Throws if another process has taken over the session. */
  requireHeld(): void;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Opens a journal for appending, readable by its owner only, with redacted lines. The first sync of a new journal also
 * syncs its directory entry. Checks the lease before a line that follows a long pause. Throws `JournalError`.
 */
export const openJournalFile = (path: string, options: JournalFileOptions = {}): Journal =>
  new JournalFile(path, options);

class JournalFile implements Journal {
  readonly #path: string;
  readonly #redactor: Redactor;
  readonly #lease: JournalLease | undefined;
  readonly #file: LineFile;
  /** When the lease was checked last. */
  #checked: number;
  /** Syncs the directory entry while the first lines are made. The first sync reports a failure. */
  #named: Promise<unknown> | undefined;

  constructor(path: string, { redactor = noRedactor, lease }: JournalFileOptions) {
    this.#path = path;
    this.#redactor = redactor;
    this.#lease = lease;
    this.#file = this.#open();
    if (this.#file.size === 0) this.#named = Promise.all(newNames(path).map(syncFolder));
    this.#named?.catch(() => {});
    this.#checked = lease?.clock.now() ?? 0;
  }

  append(line: JournalLine): void {
    this.#requireLease();
    try {
      this.#file.append(this.#redactor.json(line));
    } catch (cause) {
      throw this.#failure(cause);
    }
  }

  async sync(): Promise<void> {
    try {
      await this.#file.sync();
      await this.#named;
      this.#named = undefined;
    } catch (cause) {
      throw this.#failure(cause);
    }
  }

  isInPlace(): boolean {
    const stats = attempt(() => lstatSync(this.#path));
    return stats?.ino === this.#file.inode && stats.size === this.#file.size;
  }

  close(): void {
    this.#file.close();
  }

  #open(): LineFile {
    try {
      return openLineFile(this.#path, { folders: [] });
    } catch (cause) {
      throw this.#failure(cause);
    }
  }

  #requireLease(): void {
    if (this.#lease === undefined) return;
    const now = this.#lease.clock.now();
    if (now - this.#checked <= LEASE / 2) return;
    this.#lease.requireHeld();
    this.#checked = now;
  }

  #failure(cause: unknown): JournalError {
    return new JournalError(`cannot write ${this.#path}, but earlier lines are not lost: ${failureText(cause)}`, {
      cause,
    });
  }
}

/** The folders that may have a new entry: the session's, `sessions/`, and its parent. */
function newNames(path: string): readonly string[] {
  const session = dirname(path);
  return [session, dirname(session), dirname(dirname(session))];
}
