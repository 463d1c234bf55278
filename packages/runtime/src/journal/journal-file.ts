import { dirname } from "node:path";
import { failureText } from "../files/error-code.ts";
import { openLineFile } from "../files/line-file.ts";
import { syncFolder } from "../files/sync-folder.ts";
import { noRedactor, type Redactor } from "../redaction/redactor.ts";
import type { Journal } from "./journal.ts";
import { JournalError } from "./journal-error.ts";
import type { JournalLine } from "./journal-line.ts";

/**
 * Opens a journal for appending, readable by its owner alone, with lines redacted. The first sync of a new one also brings its
 * name to the disk. Throws `JournalError`.
 */
export function openJournalFile(path: string, redactor: Redactor = noRedactor): Journal {
  const serialize = (line: JournalLine): string => redactor.json(line);
  const file = guarded(path, () => openLineFile(path, { serialize, folders: [] }));
  // The disk begins with the name while the first lines are made.
  let named = file.size === 0 ? Promise.all(newNames(path).map(syncFolder)) : undefined;
  // A failure is reported by the first sync.
  named?.catch(() => {});
  return {
    append: (line) => guarded(path, () => file.append(line)),
    sync: async () => {
      try {
        await file.sync();
        await named;
        named = undefined;
      } catch (cause) {
        throw writeError(path, cause);
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
