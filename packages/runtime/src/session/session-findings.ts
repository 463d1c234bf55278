import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { errorMessage } from "../error-message.ts";
import { lineNumbers } from "../journal/damage-text.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { mendedLines } from "../journal/mended-lines.ts";
import { lookAtJournal, type SeenJournal } from "../journal/read-journal.ts";
import { lockHolder } from "../lock/file-lock.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { historyText } from "./history-view.ts";
import { journalPaths } from "./journal-paths.ts";
import { requireJournal } from "./lost-journal.ts";
import { orderProblem } from "./order-problem.ts";
import { openToOthers } from "./owner-only.ts";
import { broken, mendable, type SessionFinding } from "./session-finding.ts";
import { leftovers } from "./session-leftovers.ts";
import { readTranscript } from "./transcript.ts";

/** A session as somebody found it who only looked. */
export interface FoundSession {
  /** The number of the last prompt; 0 where there was none, or nobody can tell. */
  readonly prompts: number;
  /** Whether the last prompt has no end. */
  readonly isUnfinished: boolean;
  readonly findings: readonly SessionFinding[];
  /** The journals that must be mended. */
  readonly damaged: readonly string[];
  readonly isHistoryWrong: boolean;
}

/**
 * Looks for all that can be wrong with a session, given its folder: takes no lock and changes nothing. `now` is milliseconds
 * since 1970. Of a session that another process uses, what it may just be writing is passed over. Never throws.
 */
export function findInSession(folder: string, now: number, redactor?: Redactor): FoundSession {
  try {
    return find(folder, now, redactor);
  } catch (error) {
    return { ...NOTHING, findings: [broken(errorMessage(error))] };
  }
}

const NOTHING: FoundSession = { prompts: 0, isUnfinished: false, findings: [], damaged: [], isHistoryWrong: false };

function find(folder: string, now: number, redactor: Redactor | undefined): FoundSession {
  const isUsed = lockHolder(join(folder, "lock")) !== undefined;
  requireJournal(folder);
  const journals = journalPaths(folder).map((path) => lookAt(path, isUsed));
  const lines = journals.flatMap((journal) => journal.lines);
  const { lastPrompt, interrupted, conversation } = readTranscript(lines);
  const damaged = journals.filter(({ texts }) => texts.length > 0).map(({ path }) => path);
  const order = orderProblem(lines);
  const isSettled = !isUsed && damaged.length === 0 && order === undefined;
  const isHistoryWrong =
    isSettled &&
    lines.length > 0 &&
    textOf(join(folder, "history.json")) !== historyText(conversation.messages, redactor);
  return {
    prompts: lastPrompt,
    isUnfinished: interrupted !== undefined,
    damaged,
    isHistoryWrong,
    findings: [
      ...journals.flatMap(({ texts }) => texts.map(mendable)),
      ...(order === undefined ? [] : [broken(order)]),
      ...(isHistoryWrong ? [mendable("history.json is not what the journal tells")] : []),
      ...surroundings(folder, { now, isUsed }).map(mendable),
    ],
  };
}

interface LookedAt {
  readonly path: string;
  /** With those that stand in for what was lost. */
  readonly lines: readonly JournalLine[];
  /** What is wrong with it. */
  readonly texts: readonly string[];
}

function lookAt(path: string, isUsed: boolean): LookedAt {
  const journal = lookAtJournal(path);
  const { lines, added } = mendedLines(journal);
  return { path, lines, texts: journalTexts(basename(path), { ...journal, isTorn: journal.isTorn && !isUsed }, added) };
}

function journalTexts(name: string, { unreadable, isTorn }: SeenJournal, added: number): readonly string[] {
  return [
    ...(unreadable.length > 0 ? [`${lineNumbers(unreadable)} of ${name} cannot be read`] : []),
    ...(isTorn ? [`the last line of ${name} is unfinished`] : []),
    ...(added > 0 ? [`${name} lacks ${added === 1 ? "a line" : `${added} lines`}, such as results of tools`] : []),
  ];
}

/** What is wrong beside journals and history. */
function surroundings(folder: string, { now, isUsed }: { readonly now: number; readonly isUsed: boolean }): string[] {
  const left = leftovers(folder, now).map((path) => basename(path));
  const open = openToOthers(folder);
  return [
    ...(!isUsed && existsSync(join(folder, "lock")) ? ["a process that has ended left its lock"] : []),
    ...(left.length > 0 ? [`a crash left ${left.join(", ")}`] : []),
    ...(open.length > 0 ? [`others can use ${open.map((path) => basename(path)).join(", ")}`] : []),
  ];
}

/** Undefined where no file is. */
const textOf = (path: string): string | undefined =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : undefined;
