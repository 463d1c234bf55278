import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, renameSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { draftName } from "../files/drafts.ts";
import { isSameFile } from "../files/file-identity.ts";
import { timeName } from "../files/set-aside.ts";
import { syncFolderSync } from "../files/sync-folder.ts";
import { queueLines } from "../history/lasting-steps.ts";
import { NOTHING_BEFORE, newestIds, type SegmentHead } from "../history/segment-head.ts";
import { beginJournal } from "./begin-journal.ts";
import { journalPaths, LIVE_JOURNAL } from "./journal-paths.ts";
import { lookAtLines } from "./look-at-lines.ts";
import { readTranscript } from "./transcript.ts";

/**
 * Keeps all that a session said in a folder of its `archive/` named after a time (milliseconds since 1970), and begins an
 * empty journal. Up to the moment when that has its name the session is as it was, and cleared from then on. Throws what the
 * file system says.
 */
export function archiveSession(folder: string, now: number): void {
  const archives = join(folder, "archive");
  const archive = freeName(archives, timeName(now));
  const draft = join(archives, draftName(archive));
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const journals = journalPaths(folder);
  for (const path of journals) linkSync(path, join(draft, basename(path)));
  const history = join(folder, "history.json");
  // Not linked: it is written in its place.
  if (existsSync(history)) copyFileSync(history, join(draft, "history.json"));
  syncFolderSync(draft);
  beginJournal(folder, { ...carriedOver(folder), archive });
  endArchiving(folder, archive);
}

/** Prompts are counted on and their ids stay known, so that no event id repeats. Input in the queue has not been said yet. */
function carriedOver(folder: string): SegmentHead {
  const { lastPrompt, promptIds, queued, own } = readTranscript(lookAtLines(folder));
  const waiting = queueLines(own, new Set(queued.map(({ number }) => number)));
  return { ...NOTHING_BEFORE, lastPrompt, promptIds: newestIds(promptIds), own: waiting };
}

/** What is left to be done where a process ended after it had cleared a session. */
export function endArchiving(folder: string, archive: string): void {
  const archives = join(folder, "archive");
  const done = join(archives, archive);
  // A fork has no archive.
  const names = existsSync(archives) ? readdirSync(archives) : [];
  const draft = existsSync(done) ? undefined : names.find((name) => name.startsWith(`${archive}.`));
  if (draft !== undefined) renameSync(join(archives, draft), done);
  for (const path of journalPaths(folder)) {
    const name = basename(path);
    // One of this name may have begun since.
    if (name !== LIVE_JOURNAL && isSameFile(path, join(done, name))) unlinkSync(path);
  }
}

function freeName(folder: string, name: string): string {
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${name}_${count}`;
    if (!existsSync(join(folder, free))) return free;
  }
}
