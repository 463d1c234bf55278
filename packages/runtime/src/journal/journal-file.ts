import { dirname } from "node:path";
import { failureText, noRedactor, type Redactor } from "@mdx-ai/base";
import { openLineFile, syncFolder } from "@mdx-ai/base/disk";
import { asJournalError, type Journal, JournalError } from "./journal.ts";
import type { JournalLine } from "./journal-line.ts";

export interface JournalWriting {
  /** Redacts each line; nothing if absent. */
  readonly redactor?: Redactor | undefined;
}

/**
 * Opens a journal for appending, readable by its owner alone, with redacted lines. The first sync of a new one also
 * brings its name to the disk. Throws `JournalError`.
 */
export function openJournalFile(path: string, { redactor = noRedactor }: JournalWriting = {}): Journal {
  const failure = (cause: unknown): string =>
    `cannot write ${path}, but earlier lines are not lost: ${failureText(cause)}`;
  const guarded = <Result>(write: () => Result): Result => asJournalError(write, failure);
  const serialize = (line: JournalLine): string => redactor.json(line);
  const file = guarded(() => openLineFile(path, { serialize, folders: [] }));
  // The disk begins with the name while the first lines are made.
  let named = file.size === 0 ? Promise.all(newNames(path).map(syncFolder)) : undefined;
  // A failure is reported by the first sync.
  named?.catch(() => {});
  return {
    append: (line) => guarded(() => file.append(line)),
    sync: async () => {
      try {
        await file.sync();
        await named;
        named = undefined;
      } catch (cause) {
        throw new JournalError(failure(cause), { cause });
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
