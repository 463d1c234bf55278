import { dirname } from "node:path";
import { failureText, noRedactor, type Redactor } from "@mdx-ai/base";
import { openLineFile, syncFolder } from "@mdx-ai/base/disk";
import { LEASE } from "@mdx-ai/base/locks";
import { type Journal, JournalError } from "./journal.ts";
import type { JournalLine } from "./journal-line.ts";

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
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * Opens a journal for appending, readable by its owner alone, with redacted lines. The first sync of a new one also
 * brings its name to the disk. Before a line that follows a long pause the lease is checked. Throws `JournalError`.
 */
export function openJournalFile(path: string, { redactor = noRedactor, lease }: JournalFileOptions = {}): Journal {
  const failure = (cause: unknown): JournalError =>
    new JournalError(`cannot write ${path}, but earlier lines are not lost: ${failureText(cause)}`, { cause });
  const guarded = <Result>(write: () => Result): Result => {
    try {
      return write();
    } catch (cause) {
      throw failure(cause);
    }
  };
  const serialize = (line: JournalLine): string => redactor.json(line);
  const file = guarded(() => openLineFile(path, { serialize, folders: [] }));
  // The disk begins with the name while the first lines are made.
  let named = file.size === 0 ? Promise.all(newNames(path).map(syncFolder)) : undefined;
  // A failure is reported by the first sync.
  named?.catch(() => {});
  let checked = lease?.now() ?? 0;
  const requireLease = (): void => {
    if (lease === undefined || lease.now() - checked <= LEASE / 2) return;
    lease.requireHeld();
    checked = lease.now();
  };
  return {
    append: (line) => {
      requireLease();
      guarded(() => file.append(line));
    },
    sync: async () => {
      try {
        await file.sync();
        await named;
        named = undefined;
      } catch (cause) {
        throw failure(cause);
      }
    },
    close: () => file.close(),
  };
}

/** The folders that may have got a new name with a new journal: the session's, `sessions/`, and the one above. */
function newNames(path: string): readonly string[] {
  const session = dirname(path);
  return [session, dirname(session), dirname(dirname(session))];
}
