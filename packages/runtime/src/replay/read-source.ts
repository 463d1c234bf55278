import { statSync } from "node:fs";
import { ReplayError } from "../hosts/replay-error.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { lookAtJournal } from "../journal/read-journal.ts";
import { lookAtLines } from "../session/look-at-lines.ts";
import { sessionFolder } from "../session/session-folder.ts";
import type { RecordingSource } from "./replay.ts";

/** The lines of a recording. Takes no lock and changes nothing. Throws as `openReplay` rejects. */
export function readSource(dataDir: string, source: RecordingSource): readonly JournalLine[] {
  if ("session" in source) return lookAtLines(sessionFolder(dataDir, source.session));
  const { file } = source;
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new ReplayError(`there is no file ${file}`);
  const { lines, unreadable } = lookAtJournal(file);
  if (unreadable[0] === undefined) return lines;
  throw new ReplayError(`${file}:${unreadable[0]} is not a line of a recording`);
}
