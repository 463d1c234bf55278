import { closeSync, fdatasync, openSync, writeSync } from "node:fs";
import { errorMessage } from "../error-message.ts";
import type { Journal } from "./journal.ts";
import { JournalError } from "./journal-error.ts";
import type { JournalLine } from "./journal-line.ts";

/** Opens a journal for appending, readable by its owner alone. Throws `JournalError`. */
export function openJournalFile(path: string): Journal {
  return new JournalFile(
    path,
    guarded(path, () => openSync(path, "a", 0o600)),
  );
}

class JournalFile implements Journal {
  readonly #path: string;
  readonly #descriptor: number;
  #dirty = false;
  #closed = false;
  #isTorn = false;
  #syncing: Promise<void> | undefined;

  constructor(path: string, descriptor: number) {
    this.#path = path;
    this.#descriptor = descriptor;
  }

  append(line: JournalLine): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    guarded(this.#path, () => {
      this.#checkUsable();
      // Until it is whole: a line after half a line would make both unreadable.
      this.#isTorn = true;
      for (let written = 0; written < bytes.length; ) written += writeSync(this.#descriptor, bytes, written);
      this.#isTorn = false;
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

  #checkUsable(): void {
    // The number of a closed descriptor may stand for another file by now.
    if (this.#closed) throw new Error("it is closed");
    if (this.#isTorn) throw new Error("a line before was not written whole");
  }

  async #flush(): Promise<void> {
    this.#dirty = false;
    try {
      this.#checkUsable();
      await dataSync(this.#descriptor);
    } catch (cause) {
      throw writeError(this.#path, cause);
    } finally {
      this.#syncing = undefined;
    }
  }
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
  new JournalError(`cannot write ${path}: ${errorMessage(cause)}; nothing that was written before is lost`, { cause });
