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
 * Begins a new journal with a summary of the older ones; the one that grew so far stays under a number. There is a whole
 * journal under its name at any moment. Throws what the file system says; the journal then stays as it was.
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

/** After a crash in the middle of a roll-over: removes the second name that the journal has then. */
export function endRollOver(folder: string): void {
  const last = join(folder, olderJournal(lastNumber(folder)));
  if (isSameFile(last, join(folder, LIVE_JOURNAL))) unlinkSync(last);
}

const lastNumber = (folder: string): number =>
  Math.max(0, ...readdirSync(folder).flatMap((name) => olderJournalNumber(name) ?? []));

/**
 * Keeps the whole history of a session in a folder of its `archive/` named after a time (milliseconds since 1970), and begins an
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
  // Not linked: it is overwritten in place.
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

/** Finishes the clearing of a session, also for a process that ended in between. */
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

/**
 * Begins the journal of a session that only has the `history.json` of another program; that is kept. Returns a line that says
 * so; undefined for any other session. Throws `JournalError` if the file cannot be read, or what the file system says.
 */
export function importHistory(folder: string, now: number, redactor?: Redactor): string | undefined {
  const head = importedHead(folder, redactor);
  if (head === undefined) return undefined;
  const kept = keepImported(folder, now);
  beginJournal(folder, head);
  makeSessionKey(folder);
  return `imported ${head.messages} messages of history.json; the original is kept as ${kept}`;
}

/** Replaces the journal by a new one with a head, atomically. Throws what the file system says. */
function beginJournal(folder: string, head: SegmentHead): void {
  const text = `${JSON.stringify(resultLine(0, STEPS.segment.name(), head))}\n`;
  replaceFileSync({ path: join(folder, LIVE_JOURNAL), text });
}
