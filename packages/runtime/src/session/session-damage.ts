import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, type Stats, statSync } from "node:fs";
import { basename, join } from "node:path";
import { errorMessage, type Redactor } from "@mdx-ai/base";
import { timeName } from "@mdx-ai/base/disk";
import { lockHolder } from "@mdx-ai/base/locks";
import { promptDamage } from "../damage/close-prompt.ts";
import { damageTexts, findDamage } from "../damage/find-damage.ts";
import { keepHistory, readFixedJournal, rewriteJournal } from "../damage/fix-journal.ts";
import { inOrder, orderProblem } from "../history/line-order.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { lookAtJournal } from "../journal/read-journal.ts";
import { historyText } from "./history-view.ts";
import { isSummaryWrong, SUMMARY_FILE } from "./kept-summary.ts";
import { checkSessionPaths } from "./session-folder.ts";
import { journalPaths, linesSinceClear, requireJournal } from "./session-journals.ts";
import { hasBadKey, KEY_FILE } from "./session-key.ts";
import { readFigures } from "./session-summary.ts";
import { readTranscript } from "./transcript.ts";

/** A defect of a session, or of the folder of all sessions. */
export interface Finding {
  /** For people. */
  readonly text: string;
  /**
   * Repairs it, for a process that holds the session, and returns the paths of the kept files. Opening the session then does the
   * rest. Undefined if people must repair it. Throws what the file system says.
   */
  readonly repair: (() => readonly string[]) | undefined;
}

/** A session, checked. */
export interface CheckedSession {
  /** Since it was last cleared; 0 if it cannot be read. */
  readonly prompts: number;
  /** Whether the last prompt has no end. */
  readonly isUnfinished: boolean;
  /** In the order in which they are to be repaired. */
  readonly findings: readonly Finding[];
}

/** The damage that people must repair. */
export const broken = (text: string): Finding => ({ text, repair: undefined });

/** The damage that `repair` fixes without keeping anything; if absent, opening the session fixes it. */
export const repairable = (text: string, repair?: () => void): Finding => ({
  text,
  repair: () => {
    repair?.();
    return [];
  },
});

/**
 * Finds all damage of a session, given its folder: takes no lock and changes nothing. `now` is
 * milliseconds since 1970. Ignores what another process that holds the session may just be writing. Never throws.
 */
export function checkSession(folder: string, now: number, redactor?: Redactor): CheckedSession {
  try {
    return check(folder, now, redactor);
  } catch (error) {
    return { prompts: 0, isUnfinished: false, findings: [broken(errorMessage(error))] };
  }
}

function check(folder: string, now: number, redactor: Redactor | undefined): CheckedSession {
  checkSessionPaths(folder);
  const isHeld = lockHolder(join(folder, "lock")) !== undefined;
  requireJournal(folder);
  const journals = journalPaths(folder).map((path) => checkJournal(path, { now, isHeld }));
  const lines = linesSinceClear(journals.map((journal) => journal.lines));
  const { prompts, lastPrompt, interrupted, conversation } = readTranscript(lines);
  const damage = journals.flatMap(({ findings }) => findings);
  const order = orderProblem(lines);
  const isSettled = !isHeld && lines.length > 0 && damage.length === 0 && order === undefined;
  const unusable = interrupted && promptDamage(interrupted);
  const isHistoryWrong =
    isSettled && textOf(join(folder, "history.json")) !== historyText(conversation.messages, redactor);
  const isListWrong = isSettled && isSummaryWrong(folder, readFigures(lines, 0).figures);
  return {
    prompts,
    isUnfinished: interrupted !== undefined,
    findings: [
      ...damage,
      ...(order === undefined
        ? []
        : [orderFinding(order, { folder, now, journals: journals.map((one) => one.lines) })]),
      ...(unusable === undefined ? [] : [repairable(`prompt ${lastPrompt} ${unusable}, so it can only be closed`)]),
      ...(isHistoryWrong ? [historyFinding(folder, now)] : []),
      ...(isListWrong
        ? [repairable(`${SUMMARY_FILE} does not match the journal`, () => remove(join(folder, SUMMARY_FILE)))]
        : []),
      ...surroundings(folder, { now, isHeld }),
    ],
  };
}

interface DisorderedSession {
  readonly folder: string;
  readonly now: number;
  readonly journals: readonly (readonly JournalLine[])[];
}

/** Only the newest journal is put in order: its beginning counts what the older ones hold, as they are. */
function orderFinding(text: string, { folder, now, journals }: DisorderedSession): Finding {
  const ordered = linesSinceClear([...journals.slice(0, -1), orderedNewest(journals)]);
  if (orderProblem(ordered) !== undefined) return broken(text);
  const repair = (): readonly string[] => {
    const paths = journalPaths(folder);
    return rewriteJournal(paths.at(-1) ?? "", orderedNewest(paths.map((path) => lookAtJournal(path).lines)), now);
  };
  return { text, repair };
}

const historyFinding = (folder: string, now: number): Finding => ({
  text: "history.json does not match the journal",
  repair: () => keepHistory(folder, `.damaged-${timeName(now)}`),
});

/** The lines of the newest of several journals, in order. */
function orderedNewest(journals: readonly (readonly JournalLine[])[]): readonly JournalLine[] {
  const newest = journals.at(-1) ?? [];
  const all = linesSinceClear(journals);
  return inOrder(newest, all.slice(0, Math.max(0, all.length - newest.length)));
}

interface Looking {
  readonly now: number;
  readonly isHeld: boolean;
}

function checkJournal(path: string, { now, isHeld }: Looking) {
  const seen = lookAtJournal(path);
  const { lines, damage } = findDamage({ ...seen, isTorn: seen.isTorn && !isHeld });
  // One repair fixes all of it: a second one finds nothing.
  const repair = (): readonly string[] => readFixedJournal(path, now).fix?.kept ?? [];
  return { lines, findings: (damage ? damageTexts(path, damage) : []).map((text): Finding => ({ text, repair })) };
}

/** Damage outside of journals and their views. */
function surroundings(folder: string, { now, isHeld }: Looking): readonly Finding[] {
  const open = openToOthers(folder).map((path) => basename(path));
  return [
    ...(!isHeld && existsSync(join(folder, "lock"))
      ? [repairable("its lock belongs to a process that has ended; the next start takes it over")]
      : []),
    ...(hasBadKey(folder)
      ? [repairable(`the key in ${KEY_FILE} is not this session's`, () => remove(join(folder, KEY_FILE)))]
      : []),
    ...staleFinding(folder, { now }),
    // Includes the kept files.
    ...(open.length > 0
      ? [repairable(`others can use ${open.join(", ")}`, () => closeToOthers(openToOthers(folder)))]
      : []),
  ];
}

/** The drafts that crashes left in a folder. */
export function staleFinding(folder: string, options: StaleFileOptions): readonly Finding[] {
  const stale = staleFiles(folder, options);
  const names = stale.map((path) => basename(path)).join(", ");
  return stale.length === 0 ? [] : [repairable(`a crash left ${names}`, () => stale.forEach(remove))];
}

const remove = (path: string): void => rmSync(path, { recursive: true, force: true });

/** Undefined if it is no file. */
const textOf = (path: string): string | undefined =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : undefined;

/** How the names of drafts end: of files and locks that are being written, of sessions that are being made or deleted. */
const DRAFT = /[.-][\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\.tmp)?$/;

/** Milliseconds after which no process can still be working on a draft. */
const OLD = 60_000;

export interface StaleFileOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The prefix of drafts in a folder whose other names users choose. */
  readonly prefix?: string;
}

/** The paths of the drafts that crashes left in a folder. Throws what the file system says. */
const staleFiles = (folder: string, { now, prefix = "" }: StaleFileOptions): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && DRAFT.test(name))
    .map((name) => join(folder, name))
    .filter((path) => now - changeTime(path) > OLD);

/** Now, if it has gone meanwhile. */
const changeTime = (path: string): number =>
  lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;

const OTHERS = 0o077;

/** Whether others than its owner can read or write a file or folder. */
export const isOpenToOthers = ({ mode }: Stats): boolean => (mode & OTHERS) !== 0;

/** The files and folders, of this one and all within, that others than their owner can read or write. Throws what the file system says. */
function openToOthers(path: string): readonly string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // The mode of a link says nothing.
  if (stats === undefined || stats.isSymbolicLink()) return [];
  const within = stats.isDirectory() ? readdirSync(path).flatMap((name) => openToOthers(join(path, name))) : [];
  return isOpenToOthers(stats) ? [path, ...within] : within;
}

/** Leaves files and folders to their owner alone. Throws what the file system says. */
export function closeToOthers(paths: readonly string[]): void {
  for (const path of paths) chmodSync(path, lstatSync(path).mode & 0o700);
}
