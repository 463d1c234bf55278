import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { readBytes, readOpened } from "../files/read-whole-file.ts";
import { JournalParser, type ParsedJournal } from "../journal/parse-journal.ts";
import { journalPaths, LIVE_JOURNAL } from "./journal-paths.ts";
import { lookAtJournals } from "./look-at-lines.ts";
import { requireJournal } from "./lost-journal.ts";
import { type FiguresUpTo, isAddition, readFigures, type SessionFigures } from "./session-summary.ts";
import { type JournalState, type KeptSummary, readSummary, SUMMARY_FILE, writeSummary } from "./summary-file.ts";

/** What an owner reads at most after a prompt, in bytes; a list reads the rest. */
const SHORT = 32_768;

/**
 * Brings the summary of a session up to date after a prompt, for the process that holds the session. Reads no more than what
 * the prompt added to the journal, and nothing if that is long. Never throws: a list does it then.
 */
export function keepSummary(folder: string): void {
  try {
    const live = liveStats(folder);
    if (live === undefined || figuresSince(folder, live, SHORT)) return;
    if (live.size <= SHORT && journalPaths(folder).length === 1) allFigures(folder, live);
  } catch {
    // A list shows what is wrong.
  }
}

/**
 * The figures of a session: from its summary if the journal is as it was then, else from the lines that were added since, or
 * from all journals; the summary is then written anew, if possible. Takes no lock. Throws `JournalError`, or what the file
 * system says.
 */
export function currentFigures(folder: string): SessionFigures {
  const live = liveStats(folder);
  return (live && figuresSince(folder, live, Number.POSITIVE_INFINITY)) ?? allFigures(folder, live);
}

/** From the summary and at most `limit` bytes of the journal; undefined if that does not suffice. */
function figuresSince(folder: string, live: Stats, limit: number): SessionFigures | undefined {
  const kept = readSummary(folder);
  if (kept && isOf(kept.journal, live)) return kept.figures;
  if (!kept || !isBase(kept, live) || live.size - kept.journal.end > limit) return undefined;
  const added = addedFigures(folder, kept);
  // An unfinished prompt is counted anew when it has ended, from the same base.
  if (added && !added.figures.isUnfinished) keep(folder, live, added);
  return added?.figures;
}

function allFigures(folder: string, live: Stats | undefined): SessionFigures {
  requireJournal(folder);
  const { lines, damage, end } = lookAtJournals(folder);
  const { figures, lastPrompt } = readFigures(lines, damage.length);
  // Of an empty journal the next reader asks again whether it was lost.
  if (live && live.size > 0) keep(folder, live, { figures, lastPrompt, end });
  return figures;
}

/** Whether a summary that a list would show differs from the figures of all lines. */
export function isSummaryWrong(folder: string, figures: SessionFigures): boolean {
  const stats = liveStats(folder);
  if (stats === undefined || !lstatSync(join(folder, SUMMARY_FILE), { throwIfNoEntry: false })) return false;
  const kept = readSummary(folder);
  if (kept === undefined) return true;
  return isOf(kept.journal, stats) && !Bun.deepEquals(rounded(kept.figures), rounded(figures), true);
}

/** The order in which costs were added up changes their last digits. */
const rounded = ({ spending, ...figures }: SessionFigures): unknown => ({
  ...figures,
  spending: { ...spending, usd: spending.usd.toFixed(6), latency: Math.round(spending.latency) },
});

const keep = (folder: string, { size, mtimeMs, ino }: Stats, { end, ...read }: AddedFigures): void =>
  writeSummary(folder, { journal: { size, mtime: mtimeMs, inode: ino, end }, ...read });

const liveStats = (folder: string): Stats | undefined => {
  const stats = lstatSync(join(folder, LIVE_JOURNAL), { throwIfNoEntry: false });
  return stats?.isFile() ? stats : undefined;
};

const isOf = ({ size, mtime, inode }: JournalState, stats: Stats): boolean =>
  size === stats.size && mtime === stats.mtimeMs && inode === stats.ino;

/** Whether figures can be added to those of a summary: the journal has only grown, and what was there is settled. */
const isBase = ({ journal, figures }: KeptSummary, stats: Stats): boolean =>
  journal.inode === stats.ino &&
  journal.end > 0 &&
  journal.end <= stats.size &&
  !figures.isUnfinished &&
  (figures.title !== "" || figures.prompts === 0);

interface AddedFigures extends FiguresUpTo {
  readonly end: number;
}

/** Undefined if the new lines need the older ones, or cannot be read. */
function addedFigures(folder: string, { journal, ...before }: KeptSummary): AddedFigures | undefined {
  const added = linesFrom(join(folder, LIVE_JOURNAL), journal.end);
  if (added === undefined || added.unreadable.length > 0 || !isAddition(added.lines, before)) return undefined;
  const { figures, lastPrompt } = readFigures(added.lines, 0, before);
  return { figures, lastPrompt, end: added.end };
}

/** The whole lines after a position that must follow a newline; undefined if it does not. */
function linesFrom(path: string, start: number): (ParsedJournal & { readonly end: number }) | undefined {
  const bytes = bytesFrom(path, start - 1);
  if (bytes[0] !== NEWLINE) return undefined;
  const length = bytes.lastIndexOf(NEWLINE) + 1;
  const parser = new JournalParser(path);
  for (const line of bytes.toString("utf8", 1, length).split("\n").slice(0, -1)) parser.add(line);
  return { ...parser.journal, end: start - 1 + length };
}

const NEWLINE = 0x0a;

/** What a file holds from a position on. */
const bytesFrom = (path: string, start: number): Buffer =>
  readOpened(path, (descriptor, { size }) => readBytes(descriptor, start, Math.max(0, size - start)));
