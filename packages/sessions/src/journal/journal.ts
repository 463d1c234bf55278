import { dirname } from "node:path";
import { type Clock, errorMessage, failureText, isRecord, noRedactor, type Redactor } from "@mdx-ai/base";
import { isNewer, type LineFile, openLineFile, syncFolder } from "@mdx-ai/base/disk";
import { LEASE } from "@mdx-ai/base/locks";

/** The format's version, carried by every line. */
export const JOURNAL_VERSION = 1;

/**
 * One line of `journal.jsonl`: the result of a step, or the marker that a step with effects outside was started. The
 * marker with `false`: the started step waits for the user's answer, and runs again if it gets none before its process ends.
 * Prompts are counted from 1 within a session; the session's own steps belong to prompt 0.
 */
export type JournalLine = LineHead & ({ readonly started: boolean } | { readonly result: unknown });

interface LineHead {
  readonly v: typeof JOURNAL_VERSION;
  readonly prompt: number;
  readonly step: string;
}

/** The step of a line that a reader puts in the place of one that it cannot read; no journal holds it. */
export const UNREADABLE_STEP = "unreadable";

/** The line in the place of one that cannot be read, after a line of this prompt. */
export const unreadableLine = (prompt: number): JournalLine => ({
  v: JOURNAL_VERSION,
  prompt,
  step: UNREADABLE_STEP,
  started: true,
});

/** The line with the result of a step. Prompt 0: a step of the session itself. */
export const resultLine = (prompt: number, step: string, result: unknown): JournalLine => ({
  v: JOURNAL_VERSION,
  prompt,
  step,
  result,
});

/** Whether a value that came out of JSON is a line of this version. */
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

/** Whether a value that came out of JSON is a line of a newer version. */
export const isNewerLine = (value: unknown): boolean => isRecord(value) && isNewer(value["v"], JOURNAL_VERSION);

/** The destination of a session's lines. */
export interface Journal {
  /** Hands a line to the operating system: it survives the death of this process. Throws `JournalError`. */
  append(line: JournalLine): void;
  /** Resolves when every line appended so far is on disk. Calls of one moment share one sync. Rejects with `JournalError`. */
  sync(): Promise<void>;
  close(): void;
}

/** A journal that keeps nothing, for runs that leave no session behind. */
export const forgetfulJournal: Journal = { append() {}, sync: async () => {}, close() {} };

/** A journal that cannot be read or written. The message names the file and what to do. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

/** Returns the result of `work`. Wraps its errors in a `JournalError`, with the message that `text` makes. */
export function asJournalError<Result>(work: () => Result, text: (cause: unknown) => string = errorMessage): Result {
  try {
    return work();
  } catch (cause) {
    throw cause instanceof JournalError ? cause : new JournalError(text(cause), { cause });
  }
}

export interface JournalFileOptions {
  /** Redacts each line; nothing if absent. */
  readonly redactor?: Redactor | undefined;
  /** The lock of the session; a journal without it belongs to this process alone. */
  readonly lease?: JournalLease | undefined;
}

/** A lock that another process takes over when this one gave no sign of life for long, as on a machine that slept. */
export interface JournalLease {
  /** Throws if the session is another process's now. */
  requireHeld(): void;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Opens a journal for appending, readable by its owner alone, with redacted lines. The first sync of a new one also
 * brings its name to the disk. Before a line that follows a long pause the lease is checked. Throws `JournalError`.
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
  /** The disk begins with the name while the first lines are made; a failure is reported by the first sync. */
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

/** The folders that may have got a new name with a new journal: the session's, `sessions/`, and the one above. */
function newNames(path: string): readonly string[] {
  const session = dirname(path);
  return [session, dirname(session), dirname(dirname(session))];
}
