import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { ifExists } from "@mdx-ai/base";
import { fileIdentity, refuseLinks, sizeOf } from "@mdx-ai/base/disk";
import { STEPS } from "@mdx-ai/loop";
import { segmentHead } from "../history/segment-head.ts";
import { asJournalError, JournalError, type JournalLine, resultLine } from "../journal/journal.ts";
import { readJournal } from "../journal/read-journal.ts";
import { EMPTY } from "./history-view.ts";
import { importedHead } from "./import-history.ts";

/** The current journal; older ones have a number. */
export const LIVE_JOURNAL = "journal.jsonl";

/** The name of an older journal; the oldest has the number 1. */
export const olderJournal = (number: number): string => `journal-${String(number).padStart(4, "0")}.jsonl`;

/** The number of an older journal; undefined for any other name. */
export function olderJournalNumber(name: string): number | undefined {
  const [, number] = /^journal-(\d{4,15})\.jsonl$/.exec(name) ?? [];
  return number === undefined ? undefined : Number(number);
}

/**
 * The existing journals of a session's folder, the oldest first and the current one last. Two names of one
 * file, as during a rollover, are one journal under the current name. Throws `JournalError`
 * at a symbolic link, or if the folder cannot be read.
 */
export function journalPaths(folder: string): readonly string[] {
  return asJournalError(() => {
    const older = (ifExists(() => readdirSync(folder)) ?? [])
      .flatMap((name) => {
        const number = olderJournalNumber(name);
        return number === undefined ? [] : [{ number, path: join(folder, name) }];
      })
      .sort((one, other) => one.number - other.number);
    const paths = [...older.map(({ path }) => path), join(folder, LIVE_JOURNAL)];
    refuseLinks(paths);
    const files = new Map(paths.map((path) => [fileIdentity(path), path]));
    files.delete(undefined);
    return [...files.values()];
  });
}

/** The content of a session's journals, read without changes. */
export interface JournalLines {
  /** All readable lines. */
  readonly lines: readonly JournalLine[];
  /** Lines that are wholly or partly unreadable. */
  readonly damage: readonly DamagedLine[];
  /** The length of the complete lines of the newest journal, in bytes. */
  readonly end: number;
}

/** A line that is wholly or partly unreadable. */
export interface DamagedLine {
  /** The name of the journal, such as "journal-0001.jsonl". */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/**
 * Reads a session's journals: takes no lock and changes nothing. Throws `JournalError` if a journal cannot be read, or is of
 * a newer version.
 */
export function readJournals(folder: string): JournalLines {
  const paths = journalPaths(folder);
  const journals = paths.map((path) => ({ file: basename(path), ...readJournal(path) }));
  // Another process has begun a new journal meanwhile, so the files have other names.
  if (journalPaths(folder).join("\n") !== paths.join("\n")) return readJournals(folder);
  const imported = paths.length === 0 ? importedHead(folder) : undefined;
  if (imported) return { lines: [resultLine(0, STEPS.segment.name(), imported)], damage: [], end: 0 };
  return {
    lines: linesSinceClear(journals.map((journal) => journal.lines)),
    damage: journals.flatMap(({ file, unreadable }) => unreadable.map((line) => ({ file, line }))),
    end: journals.at(-1)?.end ?? 0,
  };
}

/** The readable lines. Throws as `readJournals` does. */
export const readJournalLines = (folder: string): readonly JournalLine[] => readJournals(folder).lines;

/**
 * The lines of journals, without those before the last /clear, even if a process ended during it. A /clear begins
 * a journal: a line of it that is repeated later, as manual copies leave them, clears nothing.
 */
export function linesSinceClear(journals: readonly (readonly JournalLine[])[]): readonly JournalLine[] {
  const cleared = journals.findLastIndex((lines) => segmentHead(lines[0])?.archive !== undefined);
  return journals.slice(Math.max(0, cleared)).flat();
}

/**
 * Checks that a session with a conversation has its journal: a new one would overwrite the rest. Throws `JournalError`
 * if the journal is missing, or empty, and `history.json` or an older journal is not; a `history.json` alone is imported.
 */
export function requireJournal(folder: string): void {
  const live = join(folder, LIVE_JOURNAL);
  const stats = statSync(live, { throwIfNoEntry: false });
  // Any other entry of that name is reported on reading.
  if (stats && (!stats.isFile() || stats.size > 0)) return;
  const witness = witnessOf(folder, live);
  if (witness === undefined || importedHead(folder) !== undefined) return;
  throw new JournalError(
    `${live} is ${stats ? "empty" : "missing"}, but ${witness} shows that there was a conversation; restore the file, or use another session (--session NAME)`,
  );
}

/** The file that proves that there was a conversation. */
function witnessOf(folder: string, live: string): string | undefined {
  if (sizeOf(join(folder, "history.json")) > EMPTY.length) return "history.json";
  const older = journalPaths(folder).find((path) => path !== live && sizeOf(path) > 0);
  return older && basename(older);
}
