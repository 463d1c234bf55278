import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../files/error-code.ts";
import { failureText } from "../files/failure-text.ts";
import { syncFolder } from "../files/sync-folder.ts";
import { noRedactor, type Redactor } from "../redaction/redactor.ts";
import type { Journal } from "./journal.ts";
import { JournalError } from "./journal-error.ts";
import type { JournalLine } from "./journal-line.ts";

/**
 * Opens a journal for appending, readable by its owner alone, to which nothing goes that the redactor takes out. Where it is
 * new, the first sync also brings its name to the disk. Throws `JournalError`.
 */
export function openJournalFile(path: string, redactor: Redactor = noRedactor): Journal {
  return guarded(path, () => {
    const { descriptor, isNew } = openOrMake(path);
    return new JournalFile(path, { descriptor, isNew, length: fstatSync(descriptor).size, redactor });
  });
}

function openOrMake(path: string): { readonly descriptor: number; readonly isNew: boolean } {
  try {
    return { descriptor: openSync(path, "ax", 0o600), isNew: true };
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    return { descriptor: openSync(path, "a", 0o600), isNew: false };
  }
}

interface OpenFile {
  readonly descriptor: number;
  readonly isNew: boolean;
  /** Bytes. */
  readonly length: number;
  readonly redactor: Redactor;
}

class JournalFile implements Journal {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #redactor: Redactor;
  /** Bytes of the whole lines. */
  #length: number;
  #isNew: boolean;
  #dirty = false;
  #closed = false;
  #isTorn = false;
  #isLost = false;
  #syncing: Promise<void> | undefined;

  constructor(path: string, { descriptor, isNew, length, redactor }: OpenFile) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.#redactor = redactor;
    this.#isNew = isNew;
    this.#length = length;
  }

  append(line: JournalLine): void {
    const bytes = Buffer.from(`${this.#redactor.json(line)}\n`);
    guarded(this.#path, () => {
      this.#checkUsable();
      this.#write(bytes);
    });
    this.#dirty = true;
  }

  async sync(): Promise<void> {
    if (this.#syncing) await this.#syncing;
    if (!this.#dirty) return;
    this.#syncing ??= this.#flush();
    await this.#syncing;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const release = (): void => closeSync(this.#descriptor);
    // A sync that has begun must not come to work on another file that gets the same descriptor.
    if (this.#syncing) void this.#syncing.then(release, release);
    else release();
  }

  #write(bytes: Buffer): void {
    let written = 0;
    // Until it is whole: a line after half a line would make both unreadable.
    this.#isTorn = true;
    try {
      while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
      this.#length += bytes.length;
      this.#isTorn = false;
    } catch (error) {
      this.#isTorn = !this.#cutOff(written);
      throw error;
    }
  }

  /** Takes half a line away again; not where somebody else has written meanwhile, whose lines would go with it. */
  #cutOff(written: number): boolean {
    try {
      if (fstatSync(this.#descriptor).size !== this.#length + written) return false;
      if (written > 0) ftruncateSync(this.#descriptor, this.#length);
      return true;
    } catch {
      return false;
    }
  }

  #checkUsable(): void {
    // The number of a closed descriptor may stand for another file by now.
    if (this.#closed) throw new Error("it is closed");
    if (this.#isTorn) throw new Error("a line before was not written whole");
    // A disk that failed once may say that all is well the next time, though what failed is not there.
    if (this.#isLost) throw new Error("what was written before did not reach the disk");
  }

  async #flush(): Promise<void> {
    this.#dirty = false;
    try {
      this.#checkUsable();
      await Promise.all([this.#syncData(), ...(this.#isNew ? newNames(this.#path).map(syncFolder) : [])]);
      this.#isNew = false;
    } catch (cause) {
      throw writeError(this.#path, cause);
    } finally {
      this.#syncing = undefined;
    }
  }

  async #syncData(): Promise<void> {
    try {
      await dataSync(this.#descriptor);
    } catch (error) {
      this.#isLost = true;
      throw error;
    }
  }
}

/** The folders that may have got a new name with a new journal: the session's, `sessions/`, and the agent's. */
function newNames(path: string): readonly string[] {
  const session = dirname(path);
  return [session, dirname(session), dirname(dirname(session))];
}

const dataSync = (descriptor: number): Promise<void> =>
  new Promise((resolve, reject) => fdatasync(descriptor, (error) => (error ? reject(error) : resolve())));

function guarded<Result>(path: string, write: () => Result): Result {
  try {
    return write();
  } catch (cause) {
    throw writeError(path, cause);
  }
}

const writeError = (path: string, cause: unknown): JournalError =>
  new JournalError(`cannot write ${path}, and nothing that was written before is lost: ${failureText(cause)}`, {
    cause,
  });
