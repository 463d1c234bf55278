import { lstatSync, readdirSync, readFileSync, rmSync, type Stats, statSync } from "node:fs";
import { basename, join } from "node:path";
import { attempt, errorMessage, type Redactor } from "@mdx-ai/base";
import { checkPaths } from "@mdx-ai/base/disk";
import { lockHolder } from "@mdx-ai/base/locks";
import { promptDamage } from "../damage/close-prompt.ts";
import { repairJournal, tornText, unreadableText } from "../damage/repair-journal.ts";
import { lacksResult } from "../history/prompt-history.ts";
import { readHistory } from "../history/read-history.ts";
import { asJournalError, type JournalLine } from "../journal/journal.ts";
import { readJournal } from "../journal/read-journal.ts";
import { historyText } from "./history-view.ts";
import { isSummaryWrong, SUMMARY_FILE } from "./kept-summary.ts";
import { USED_IDS } from "./new-session.ts";
import {
  checkSessionId,
  checkSessionPaths,
  compareIds,
  SessionInUseError,
  sessionEntries,
  sessionFolder,
  sessionHolder,
  sessionNames,
  sessionsFolder,
  whileLocked,
} from "./session-folder.ts";
import { journalPaths, linesSinceClear, requireJournal } from "./session-journals.ts";
import { readFigures } from "./session-summary.ts";
import { openStoredSession } from "./stored-session.ts";
import { readTranscript } from "./transcript.ts";

export interface VerifyOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Checks only. */
  readonly isCheck: boolean;
  /** The agent's redactor: the history view lacks redacted text. */
  readonly redactor?: Redactor | undefined;
}

/** The damage found, and the remaining damage. Both for people. */
export interface Verification {
  /** `repairable`: nothing was changed; `broken`: some damage was left because only people can repair it. */
  readonly state: "ok" | "repaired" | "repairable" | "broken";
  readonly found: readonly string[];
  readonly left: readonly string[];
}

/** The result of verifying a session. */
export interface SessionVerification extends Verification {
  readonly id: string;
  /** Since it was last cleared; 0 if unreadable. */
  readonly prompts: number;
  /** Whether the last prompt has no end: it is running, or the next start finishes it. */
  readonly isUnfinished: boolean;
  /** The process that uses it, for people; nothing was changed then. */
  readonly holder?: string;
  /** The names of files in its folder with cut-off lines. */
  readonly kept: readonly string[];
}

/** The result of verifying the sessions of an agent directory. */
export interface SessionsVerification {
  /** Sorted by id. */
  readonly sessions: readonly SessionVerification[];
  /** Damage of `sessions/` itself, which cannot be repaired automatically. */
  readonly folder: Verification;
}

/** Verifies all sessions, one after the other. Throws `JournalError` if `sessions/` is not a folder, or the file system's error. */
export function verifyAll(dataDir: string, options: VerifyOptions): SessionsVerification {
  const folder = sessionsFolder(dataDir);
  const found = checkFolder(folder);
  return {
    folder: { state: found.length === 0 ? "ok" : "broken", found, left: found },
    sessions: sessionNames(folder)
      .toSorted(compareIds)
      .map((id) => {
        try {
          return verifySession(dataDir, id, options);
        } catch (error) {
          const texts = [errorMessage(error)];
          return { id, state: "broken", prompts: 0, isUnfinished: false, found: texts, left: texts, kept: [] };
        }
      }),
  };
}

/**
 * Checks a session and repairs repairable damage, unless another process uses it. Throws `SessionIdError`,
 * `UnknownSessionError`, or `JournalError` if the folder is a symbolic link or not a folder.
 */
export function verifySession(dataDir: string, id: string, options: VerifyOptions): SessionVerification {
  checkSessionId(id);
  asJournalError(() => checkPaths({ folders: [join(sessionsFolder(dataDir), id)] }));
  const folder = sessionFolder(dataDir, id);
  const { redactor, isCheck } = options;
  const { findings, ...report } = checkSession(folder, redactor);
  const found = findings.map(({ text }) => text);
  const isBroken = findings.some(({ isRepairable }) => !isRepairable);
  // An unreadable lock is among the findings.
  const holder = attempt(() => sessionHolder(dataDir, id));
  if (isCheck || holder !== undefined || findings.every(({ isRepairable }) => !isRepairable)) {
    const state = found.length === 0 ? "ok" : isBroken ? "broken" : "repairable";
    return { id, ...{ state, found, left: found }, ...report, ...(holder !== undefined && { holder }), kept: [] };
  }
  const kept: string[] = [];
  const failure = failureOf(() => kept.push(...repair(dataDir, id, options)));
  const after = checkSession(folder, redactor);
  const left = [...after.findings.map(({ text }) => text), ...failure];
  const { prompts, isUnfinished } = after;
  return { id, state: left.length === 0 ? "repaired" : "broken", found, left, prompts, isUnfinished, kept };
}

/** Returns the names of the files with cut-off lines. Opening a session does the rest: it closes prompts and rebuilds views. */
function repair(dataDir: string, id: string, { now, redactor }: VerifyOptions): readonly string[] {
  const folder = sessionFolder(dataDir, id);
  const kept = whileLocked(folder, now, () => {
    rmSync(join(folder, SUMMARY_FILE), { force: true });
    return journalPaths(folder).flatMap((path) => repairJournal(path).kept ?? []);
  });
  try {
    const directory = sessionsFolder(dataDir);
    openStoredSession({
      directory,
      id,
      clock: { now: () => now },
      onWarning: () => {},
      ...(redactor && { redactor }),
    }).close();
  } catch (error) {
    // A process that has locked it meanwhile has done so.
    if (!(error instanceof SessionInUseError)) throw error;
  }
  return kept.map((path) => basename(path));
}

/** A defect of a session, for people. */
interface Finding {
  readonly text: string;
  /** Whether `repair` fixes it. */
  readonly isRepairable: boolean;
}

const broken = (text: string): Finding => ({ text, isRepairable: false });
const repairable = (text: string): Finding => ({ text, isRepairable: true });

/** A checked session. */
interface CheckedSession extends Pick<SessionVerification, "prompts" | "isUnfinished"> {
  readonly findings: readonly Finding[];
}

/**
 * Finds all damage of a session, given its folder. Takes no lock and changes nothing. Ignores lines that another process that has locked the
 * session may be writing. Never throws.
 */
function checkSession(folder: string, redactor: Redactor | undefined): CheckedSession {
  try {
    return check(folder, redactor);
  } catch (error) {
    return { prompts: 0, isUnfinished: false, findings: [broken(errorMessage(error))] };
  }
}

function check(folder: string, redactor: Redactor | undefined): CheckedSession {
  checkSessionPaths(folder);
  const isHeld = lockHolder(join(folder, "lock")) !== undefined;
  requireJournal(folder);
  const journals = journalPaths(folder).map((path) => ({ path, ...readJournal(path) }));
  const lines = linesSinceClear(journals.map((journal) => journal.lines));
  const { prompts, lastPrompt, interrupted } = readTranscript(lines);
  const unusable = interrupted && promptDamage(interrupted);
  const damage = [
    ...journals.flatMap(({ path, unreadable, isTorn }) => [
      ...(unreadable.length > 0 ? [broken(unreadableText(path, unreadable))] : []),
      ...(isTorn && !isHeld ? [repairable(tornText(path))] : []),
    ]),
    ...missingResults(lines).map(broken),
    ...journals.flatMap(({ path, lines: own }) => orderProblem(basename(path), own)).map(broken),
    ...(unusable === undefined ? [] : [repairable(`prompt ${lastPrompt} ${unusable}, so it can only be closed`)]),
  ];
  const views = isHeld || lines.length === 0 ? [] : staleViews(folder, lines, redactor).map(repairable);
  const findings = [...damage, ...views, ...openToOthers(folder)];
  return { prompts, isUnfinished: interrupted !== undefined, findings };
}

/** The views of a session that do not match its journals. */
function staleViews(folder: string, lines: readonly JournalLine[], redactor: Redactor | undefined): readonly string[] {
  const { messages } = readTranscript(lines).conversation;
  const history = join(folder, "history.json");
  const isFile = statSync(history, { throwIfNoEntry: false })?.isFile();
  const shown = isFile ? readFileSync(history, "utf8") : undefined;
  return [
    ...(shown === historyText(messages, redactor) ? [] : ["history.json"]),
    ...(isSummaryWrong(folder, readFigures(lines, 0).figures) ? [SUMMARY_FILE] : []),
  ].map((name) => `${name} does not match the journal`);
}

/** The calls without a result in prompts that have ended: the model receives an error for each. */
const missingResults = (lines: readonly JournalLine[]): readonly string[] =>
  readHistory(lines).prompts.flatMap((prompt) =>
    prompt.turns
      .flatMap(({ calls }) => calls)
      .filter((call) => lacksResult(prompt, call))
      .map(({ step }) => `the journal lacks the result of step ${step} of prompt ${prompt.number}`),
  );

/** The first line of a journal that belongs to an earlier prompt than the line before, as in manually joined journals. */
function orderProblem(name: string, lines: readonly JournalLine[]): readonly string[] {
  let last = 0;
  for (const [index, { prompt }] of lines.entries()) {
    if (prompt === 0) continue;
    if (prompt < last) return [`line ${index + 1} of ${name} goes back from prompt ${last} to prompt ${prompt}`];
    last = prompt;
  }
  return [];
}

/** The failure of `work` as a list; empty if it succeeds. */
function failureOf(work: () => void): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    return [errorMessage(error)];
  }
}

function checkFolder(folder: string): readonly string[] {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  const strangers = sessionEntries(folder).flatMap(({ name }) =>
    failureOf(() => checkPaths({ folders: [join(folder, name)] })),
  );
  const record = lstatSync(join(folder, USED_IDS), { throwIfNoEntry: false });
  return [
    ...strangers,
    ...(record && !record.isFile() ? [`${join(folder, USED_IDS)} is not a file: ids may be used again`] : []),
    ...(isOpenToOthers(stats) ? [openText(folder, ["it"])] : []),
  ];
}

const OTHERS = 0o077;

const isOpenToOthers = ({ mode }: Stats): boolean => (mode & OTHERS) !== 0;

const openText = (folder: string, names: readonly string[]): string =>
  `others can use ${names.join(", ")}; to change that, run: chmod -R go= ${folder}`;

/** The folder of a session and the entries in it that other users can access. */
function openToOthers(folder: string): readonly Finding[] {
  const paths = [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  ];
  const open = paths.filter((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // The mode of a link is meaningless.
    return stats !== undefined && !stats.isSymbolicLink() && isOpenToOthers(stats);
  });
  return open.length === 0
    ? []
    : [
        broken(
          openText(
            folder,
            open.map((path) => basename(path)),
          ),
        ),
      ];
}
