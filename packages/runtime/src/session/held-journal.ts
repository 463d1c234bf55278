import type { Journal } from "../journal/journal.ts";
import { LEASE } from "../lock/file-lock.ts";

export interface HoldOptions {
  /** Throws where the session is another process's by now. */
  requireHeld(): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * A journal to which nothing is added once its session is another process's: whoever stood still for long, such as a machine
 * that slept, looks before it goes on.
 */
export function heldJournal(journal: Journal, { requireHeld, now }: HoldOptions): Journal {
  let looked = now();
  return {
    append(line) {
      if (now() - looked > LEASE / 2) {
        requireHeld();
        looked = now();
      }
      journal.append(line);
    },
    sync: () => journal.sync(),
    close: () => journal.close(),
  };
}
