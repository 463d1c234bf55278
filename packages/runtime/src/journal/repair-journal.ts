import { linkSync } from "node:fs";
import { errorCode } from "../files/error-code.ts";
import { failureText } from "../files/failure-text.ts";
import { replaceFileSync } from "../files/replace-file.ts";
import { timeName } from "../files/time-name.ts";
import { JournalError } from "./journal-error.ts";
import type { JournalLine } from "./journal-line.ts";

/**
 * Puts these lines in the place of a damaged journal, which is kept as it is under the returned name, such as
 * `journal.jsonl.damaged-2026-04-28T10-00-00.000Z` for `now` in milliseconds since 1970. A crash leaves one or the other under
 * the journal's name. Throws `JournalError`; the journal is then as it was.
 */
export function repairJournal(path: string, lines: readonly JournalLine[], now: number): string {
  try {
    let aside = "";
    const beforeRename = (): void => {
      aside = keepAside(path, `${path}.damaged-${timeName(now)}`);
    };
    replaceFileSync({ path, text: textOf(lines), beforeRename });
    return aside;
  } catch (cause) {
    throw new JournalError(`cannot mend ${path}, which is damaged: ${failureText(cause)}; it is as it was`, { cause });
  }
}

/** Line by line, since a journal may be long. */
function* textOf(lines: readonly JournalLine[]): Generator<string, void, undefined> {
  for (const line of lines) yield `${JSON.stringify(line)}\n`;
}

/** A second name costs no room on the disk and is there at once as a whole. Nothing that was kept before is replaced. */
function keepAside(path: string, name: string): string {
  for (let count = 1; ; count++) {
    const aside = count === 1 ? name : `${name}_${count}`;
    try {
      linkSync(path, aside);
      return aside;
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}
