import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { promptDamage } from "../damage/close-prompt.ts";
import { damageTexts, findDamage } from "../damage/find-damage.ts";
import { keepHistory, readFixedJournal, rewriteJournal } from "../damage/fix-journal.ts";
import { errorMessage } from "../error-message.ts";
import { timeName } from "../files/set-aside.ts";
import { inOrder, orderProblem } from "../history/line-order.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { lookAtJournal } from "../journal/read-journal.ts";
import { lockHolder } from "../lock/file-lock.ts";
import type { Redactor } from "../redaction/redactor.ts";
import {
  broken,
  closeToOthers,
  type Finding,
  openToOthers,
  removeFiles,
  repairable,
  staleFiles,
} from "./folder-damage.ts";
import { historyText } from "./history-view.ts";
import { isSummaryWrong, SUMMARY_FILE } from "./kept-summary.ts";
import { journalPaths, linesSinceClear, requireJournal } from "./session-journals.ts";
import { hasBadKey, KEY_FILE } from "./session-key.ts";
import { readFigures } from "./session-summary.ts";
import { readTranscript } from "./transcript.ts";

/** A session, checked. */
export interface CheckedSession {
  /** Since it was last cleared; 0 if it cannot be read. */
  readonly prompts: number;
  /** Whether the last prompt has no end. */
  readonly isUnfinished: boolean;
  readonly findings: readonly Finding[];
  /** The journals to fix. */
  readonly damagedJournals: readonly string[];
  /** Whether the lines of the newest journal must be put in order. */
  readonly isOutOfOrder: boolean;
  readonly isHistoryWrong: boolean;
}

/**
 * Finds everything that can be wrong with a session, given its folder: takes no lock and changes nothing. `now` is
 * milliseconds since 1970. Ignores what another process that holds the session may just be writing. Never throws.
 */
export function checkSession(folder: string, now: number, redactor?: Redactor): CheckedSession {
  try {
    return check(folder, now, redactor);
  } catch (error) {
    const findings = [broken(errorMessage(error))];
    return {
      prompts: 0,
      isUnfinished: false,
      findings,
      damagedJournals: [],
      isOutOfOrder: false,
      isHistoryWrong: false,
    };
  }
}

function check(folder: string, now: number, redactor: Redactor | undefined): CheckedSession {
  const isHeld = lockHolder(join(folder, "lock")) !== undefined;
  requireJournal(folder);
  const journals = journalPaths(folder).map((path) => checkJournal(path, isHeld));
  const lines = linesSinceClear(journals.flatMap((journal) => journal.lines));
  const { prompts, lastPrompt, interrupted, conversation } = readTranscript(lines);
  const damagedJournals = journals.filter(({ texts }) => texts.length > 0).map(({ path }) => path);
  const order = orderProblem(lines);
  const isOutOfOrder = order !== undefined && isOrderable(journals.map((journal) => journal.lines));
  const isSettled = !isHeld && lines.length > 0 && damagedJournals.length === 0 && order === undefined;
  const unusable = interrupted && promptDamage(interrupted);
  const isHistoryWrong =
    isSettled && textOf(join(folder, "history.json")) !== historyText(conversation.messages, redactor);
  return {
    prompts,
    isUnfinished: interrupted !== undefined,
    damagedJournals,
    isOutOfOrder,
    isHistoryWrong,
    findings: [
      ...journals.flatMap(({ texts }) => texts.map(repairable)),
      ...(order === undefined ? [] : [isOutOfOrder ? repairable(order) : broken(order)]),
      ...(unusable === undefined ? [] : [repairable(`prompt ${lastPrompt} ${unusable}, so it can only be closed`)]),
      ...(isHistoryWrong ? [repairable("history.json does not match the journal")] : []),
      ...(isSettled && isSummaryWrong(folder, readFigures(lines, 0).figures)
        ? [repairable(`${SUMMARY_FILE} does not match the journal`)]
        : []),
      ...surroundings(folder, { now, isHeld }).map(repairable),
    ],
  };
}

/** Whether putting the newest journal in order is enough: its beginning counts what the older ones hold, as they are. */
const isOrderable = (journals: readonly (readonly JournalLine[])[]): boolean =>
  orderProblem(linesSinceClear([...journals.slice(0, -1).flat(), ...orderedNewest(journals)])) === undefined;

/** The lines of the newest of several journals, in order. */
function orderedNewest(journals: readonly (readonly JournalLine[])[]): readonly JournalLine[] {
  const newest = journals.at(-1) ?? [];
  const all = linesSinceClear(journals.flat());
  return inOrder(newest, all.slice(0, Math.max(0, all.length - newest.length)));
}

function checkJournal(path: string, isHeld: boolean) {
  const seen = lookAtJournal(path);
  const { lines, damage } = findDamage({ ...seen, isTorn: seen.isTorn && !isHeld });
  return { path, lines, texts: damage ? damageTexts(path, damage) : [] };
}

/** What is wrong beside journals and their views. */
function surroundings(folder: string, { now, isHeld }: { readonly now: number; readonly isHeld: boolean }): string[] {
  const stale = staleFiles(folder, { now }).map((path) => basename(path));
  const open = openToOthers(folder);
  return [
    ...(!isHeld && existsSync(join(folder, "lock"))
      ? ["its lock is that of a process that is gone; the next start takes it over"]
      : []),
    ...(hasBadKey(folder) ? [`the key in ${KEY_FILE} is not this session's`] : []),
    ...(stale.length > 0 ? [`a crash left ${stale.join(", ")}`] : []),
    ...(open.length > 0 ? [`others can use ${open.map((path) => basename(path)).join(", ")}`] : []),
  ];
}

/** Undefined if it is no file. */
const textOf = (path: string): string | undefined =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : undefined;

/**
 * Repairs what was found in a session that this process has locked; opening it then writes history and key anew, and a list
 * its summary. Yields the paths of what is kept, also if it throws then what the file system says.
 */
export function* repairSession(
  folder: string,
  checked: CheckedSession,
  now: number,
): Generator<string, void, undefined> {
  for (const path of checked.damagedJournals) yield* readFixedJournal(path, now).fix?.kept ?? [];
  if (checked.isOutOfOrder) {
    const paths = journalPaths(folder);
    const lines = orderedNewest(paths.map((path) => lookAtJournal(path).lines));
    yield* rewriteJournal(paths.at(-1) ?? "", lines, now);
  }
  const history = checked.isHistoryWrong ? keepHistory(folder, `.damaged-${timeName(now)}`) : undefined;
  if (history !== undefined) yield history;
  if (hasBadKey(folder)) rmSync(join(folder, KEY_FILE), { recursive: true });
  rmSync(join(folder, SUMMARY_FILE), { recursive: true, force: true });
  removeFiles(staleFiles(folder, { now }));
  closeToOthers(openToOthers(folder));
}
