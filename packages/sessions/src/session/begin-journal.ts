import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, renameSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { defined, type Redactor } from "@mdx-ai/base";
import { draftName, isSameFile, replaceFileSync, syncFolderSync, timeName } from "@mdx-ai/base/disk";
import { STEPS } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import { readHistory } from "../history/read-history.ts";
import { lastingSteps, NOTHING_BEFORE, newestIds, queueLines, type SegmentHead } from "../history/segment-head.ts";
import type { QueuedInput } from "../history/session-history.ts";
import { resultLine } from "../journal/journal.ts";
import type { Shown } from "./history-view.ts";
import { importedHead, keepImported } from "./import-history.ts";
import { journalPaths, LIVE_JOURNAL, olderJournal, olderJournalNumber, readJournalLines } from "./session-journals.ts";
import { makeSessionKey } from "./session-key.ts";
import { newestWorkspace } from "./session-workspace.ts";
import { readTranscript, type Transcript } from "./transcript.ts";

/** The data of the older journals that a new one repeats. */
interface RollOver extends Transcript {
  /** The extent of `history.json`. */
  readonly shown: Shown;
  /** The last messages of the transcript, if they are few. */
  readonly tail: readonly Message[];
}

/**
 * Begins a new journal with a summary of the older ones; the current one is renamed to a number. There is a complete
 * journal under the current name at all times. Throws the file system's error; the journal is then unchanged.
 */
export function rollOver(folder: string, { shown, tail, ...transcript }: RollOver): void {
  const { conversation, lastPrompt, head, cost, queued, own, promptIds, modeNote } = transcript;
  const { compaction } = conversation;
  try {
    linkSync(join(folder, LIVE_JOURNAL), join(folder, olderJournal(lastNumber(folder) + 1)));
    beginJournal(folder, {
      lastPrompt,
      head,
      messages: shown.messages,
      tail,
      ...(compaction && { compaction }),
      cost,
      own: lastingSteps(own, numbersOf(queued)),
      history: shown.bytes,
      promptIds: newestIds(promptIds),
      ...defined({ modeNote }),
    });
  } catch (error) {
    endRollOver(folder);
    throw error;
  }
}

const numbersOf = (queued: readonly QueuedInput[]): ReadonlySet<number> => new Set(queued.map(({ number }) => number));

/** After a crash during a rollover: removes the second name of the journal. */
export function endRollOver(folder: string): void {
  const last = join(folder, olderJournal(lastNumber(folder)));
  if (isSameFile(last, join(folder, LIVE_JOURNAL))) unlinkSync(last);
}

const lastNumber = (folder: string): number =>
  Math.max(0, ...readdirSync(folder).flatMap((name) => olderJournalNumber(name) ?? []));

/**
 * Moves the history of a session to a folder in `archive/` named after a time (milliseconds since 1970), and begins an
 * empty journal. The session is cleared at the moment when the new journal gets its name. Throws the
 * file system's error.
 */
export function archiveSession(folder: string, now: number): void {
  const archives = join(folder, "archive");
  const archive = freeName(archives, timeName(now));
  const draft = join(archives, draftName(archive));
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const journals = journalPaths(folder);
  for (const path of journals) linkSync(path, join(draft, basename(path)));
  const history = join(folder, "history.json");
  // A copy, since the original is overwritten in place.
  if (existsSync(history)) copyFileSync(history, join(draft, "history.json"));
  syncFolderSync(draft);
  beginJournal(folder, { ...carriedOver(folder), archive });
  endArchiving(folder, archive);
}

/** The numbering of prompts continues and their ids stay known, so that no event id repeats. Queued input has not been sent yet. */
function carriedOver(folder: string): SegmentHead {
  const lines = readJournalLines(folder);
  const { lastPrompt, promptIds, queued, own } = readTranscript(lines);
  const workspace = newestWorkspace(readHistory(lines));
  return {
    ...NOTHING_BEFORE,
    lastPrompt,
    promptIds: newestIds(promptIds),
    own: [...own.filter(({ step }) => step === STEPS.owner.name()), ...queueLines(own, numbersOf(queued))],
    ...(workspace !== undefined && { workspace }),
  };
}

/** Finishes clearing a session, also after a crash. */
export function endArchiving(folder: string, archive: string): void {
  const archives = join(folder, "archive");
  const done = join(archives, archive);
  // A fork has no archive.
  const names = existsSync(archives) ? readdirSync(archives) : [];
  const draft = existsSync(done) ? undefined : names.find((name) => name.startsWith(`${archive}.`));
  if (draft !== undefined) renameSync(join(archives, draft), done);
  for (const path of journalPaths(folder)) {
    const name = basename(path);
    // A log of this name may have begun since.
    if (name !== LIVE_JOURNAL && isSameFile(path, join(done, name))) unlinkSync(path);
  }
}

function freeName(folder: string, name: string): string {
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${name}_${count}`;
    if (!existsSync(join(folder, free))) return free;
  }
}

/**
 * Begins the journal of a session that only has the `history.json` of another program, and keeps the original. Returns a line that says
 * so; undefined for any other session. Throws `JournalError` if the file cannot be read, or the file system's error.
 */
export function importHistory(folder: string, now: number, redactor?: Redactor): string | undefined {
  const head = importedHead(folder, redactor);
  if (head === undefined) return undefined;
  const kept = keepImported(folder, now);
  beginJournal(folder, head);
  makeSessionKey(folder);
  return `imported ${head.messages} messages of history.json; the original is kept as ${kept}`;
}

/** Atomically replaces the journal with a new one that has a head. Throws the file system's error. */
function beginJournal(folder: string, head: SegmentHead): void {
  const text = `${JSON.stringify(resultLine(0, STEPS.segment.name(), head))}\n`;
  replaceFileSync({ path: join(folder, LIVE_JOURNAL), text });
}
