import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { attempt, isAmount, isRecord, jsonValue } from "@mdx-ai/base";
import { readSmallFile, replaceFileSync } from "@mdx-ai/base/disk";
import { isCost } from "@mdx-ai/loop";
import { readJournalTail } from "../journal/read-journal.ts";
import { journalPaths, LIVE_JOURNAL, readJournals, requireJournal } from "./session-journals.ts";
import { type FiguresUpTo, isAddition, readFigures, type SessionFigures } from "./session-summary.ts";

/** The file in a session's folder that caches its figures, so that a list need not read its journals. */
export const SUMMARY_FILE = "summary.json";

/** The version of the format. */
const SUMMARY_VERSION = 1;

/** A state of `journal.jsonl`. */
interface JournalState {
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  readonly inode: number;
  /** The length of its complete lines, in bytes. */
  readonly end: number;
}

/** The figures of a session, and the state of the journal that they were computed from. */
interface KeptSummary {
  readonly version: typeof SUMMARY_VERSION;
  readonly journal: JournalState;
  readonly figures: SessionFigures;
  /** The number of the session's last prompt; 0 if there is none. */
  readonly lastPrompt: number;
}

/** The maximum bytes to read after a prompt; a list reads the rest. */
const SHORT = 32_768;

/** Up to this many bytes, a journal is read as fast as a summary, so none is written. */
const TINY = 4096;

/**
 * Updates the summary of a session after a prompt, for the process that has locked the session. Reads at most the lines that
 * the prompt added to the journal, and nothing if they are long. Never throws: on failure, a list updates the summary.
 */
export function keepSummary(folder: string): void {
  attempt(() => {
    const live = liveStats(folder);
    if (live === undefined || figuresSince(folder, live, SHORT)) return;
    if (live.size > TINY && live.size <= SHORT && journalPaths(folder).length === 1) allFigures(folder, live);
  });
}

/**
 * The figures of a session: from its summary if the journal is unchanged, else from the lines that were added since, or
 * from all journals; the summary is then rewritten, if possible. Takes no lock. Throws `JournalError`, or the file
 * system's error.
 */
export function currentFigures(folder: string): SessionFigures {
  const live = liveStats(folder);
  return (live && figuresSince(folder, live, Number.POSITIVE_INFINITY)) ?? allFigures(folder, live);
}

/** From the summary and at most `limit` bytes of the journal; undefined if they are not enough. */
function figuresSince(folder: string, live: Stats, limit: number): SessionFigures | undefined {
  const kept = readSummary(folder);
  if (kept && isOf(kept.journal, live)) return kept.figures;
  if (!kept || !isBase(kept, live) || live.size - kept.journal.end > limit) return undefined;
  const added = addedFigures(folder, kept);
  // An unfinished prompt is counted again when it has ended, from the same base.
  if (added && !added.figures.isUnfinished) keep(folder, live, added);
  return added?.figures;
}

function allFigures(folder: string, live: Stats | undefined): SessionFigures {
  requireJournal(folder);
  const { lines, damage, end } = readJournals(folder);
  const { figures, lastPrompt } = readFigures(lines, damage.length);
  // The next reader of an empty journal checks again whether it was lost.
  if (live && live.size > 0) keep(folder, live, { figures, lastPrompt, end });
  return figures;
}

/** Whether the summary that a list would show differs from the figures of all lines. */
export function isSummaryWrong(folder: string, figures: SessionFigures): boolean {
  const stats = liveStats(folder);
  if (stats === undefined || !lstatSync(join(folder, SUMMARY_FILE), { throwIfNoEntry: false })) return false;
  const kept = readSummary(folder);
  if (kept === undefined) return true;
  return isOf(kept.journal, stats) && !Bun.deepEquals(rounded(kept.figures), rounded(figures), true);
}

/** The order of addition changes the last digits of costs. */
const rounded = ({ cost, ...figures }: SessionFigures): unknown => ({
  ...figures,
  cost: { ...cost, usd: cost.usd.toFixed(6), latency: Math.round(cost.latency) },
});

/**
 * Writes the summary of a session. Not synced: a reader sees the old or the new file, and after a power cut possibly
 * none. Never throws: a failed write is retried the next time.
 */
function keep(folder: string, { size, mtimeMs, ino }: Stats, { end, ...read }: AddedFigures): void {
  const journal = { size, mtime: mtimeMs, inode: ino, end };
  const summary: KeptSummary = { version: SUMMARY_VERSION, journal, ...read };
  const text = `${JSON.stringify(summary)}\n`;
  attempt(() => replaceFileSync({ path: join(folder, SUMMARY_FILE), text, isDispensable: true }));
}

const liveStats = (folder: string): Stats | undefined => {
  const stats = lstatSync(join(folder, LIVE_JOURNAL), { throwIfNoEntry: false });
  return stats?.isFile() ? stats : undefined;
};

const isOf = ({ size, mtime, inode }: JournalState, stats: Stats): boolean =>
  size === stats.size && mtime === stats.mtimeMs && inode === stats.ino;

/** Whether figures can be added to those of a summary: the journal has only grown, and its older lines are final. */
const isBase = ({ journal, figures }: KeptSummary, stats: Stats): boolean =>
  journal.inode === stats.ino &&
  journal.end > 0 &&
  journal.end <= stats.size &&
  !figures.isUnfinished &&
  (figures.title !== "" || figures.prompts === 0);

interface AddedFigures extends FiguresUpTo {
  readonly end: number;
}

/** Undefined if the new lines depend on older ones or are unreadable. */
function addedFigures(folder: string, { journal, ...kept }: KeptSummary): AddedFigures | undefined {
  const added = readJournalTail(join(folder, LIVE_JOURNAL), journal.end);
  if (added === undefined || added.unreadable.length > 0 || !isAddition(added.lines, kept)) return undefined;
  const { figures, lastPrompt } = readFigures(added.lines, 0, kept);
  return { figures, lastPrompt, end: added.end };
}

/** Bytes; longer than any summary. */
const MAX_LENGTH = 8192;

/** The summary of a session; undefined if it is missing or unusable. */
function readSummary(folder: string): KeptSummary | undefined {
  const value = jsonValue(readSmallFile(join(folder, SUMMARY_FILE), MAX_LENGTH) ?? "");
  return isKeptSummary(value) ? value : undefined;
}

const isKeptSummary = (value: unknown): value is KeptSummary =>
  isRecord(value) &&
  value["version"] === SUMMARY_VERSION &&
  isJournalState(value["journal"]) &&
  isAmount(value["lastPrompt"]) &&
  isFigures(value["figures"]);

const isJournalState = (value: unknown): boolean =>
  isRecord(value) && ["size", "mtime", "inode", "end"].every((name) => isAmount(value[name]));

const isFigures = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value["title"] === "string" &&
  isAmount(value["prompts"]) &&
  isAmount(value["turns"]) &&
  isCost(value["cost"]) &&
  (value["workspace"] === undefined || typeof value["workspace"] === "string") &&
  Number.isFinite(value["created"] ?? 0) &&
  isAmount(value["damagedLines"] ?? 0) &&
  typeof value["isUnfinished"] === "boolean";
