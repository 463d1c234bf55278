import { basename, join } from "node:path";
import { errorMessage } from "../error-message.ts";
import { timeName } from "../files/time-name.ts";
import { readJournal } from "../journal/read-journal.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { keepHistory } from "./damaged-history.ts";
import { journalPaths } from "./journal-paths.ts";
import { closeToOthers, openToOthers } from "./owner-only.ts";
import { type SessionFinding, textsOf } from "./session-finding.ts";
import { type FoundSession, findInSession } from "./session-findings.ts";
import { sessionFolder, sessionsFolder } from "./session-folder.ts";
import { sessionHolder } from "./session-free.ts";
import { leftovers, removeLeftovers } from "./session-leftovers.ts";
import { lockSession, SessionInUseError } from "./session-lock.ts";
import { openStoredSession } from "./stored-session.ts";

export interface VerifyOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Look only, and change nothing. */
  readonly isCheck: boolean;
  /** As the agent itself has it: a view of the history lacks what it takes out. */
  readonly redactor?: Redactor | undefined;
}

/** What was found wrong, and what of it is so still. Both for people. */
export interface Verification {
  /** `repairable`: it was only looked at; `broken`: something cannot be repaired. */
  readonly state: "ok" | "repaired" | "repairable" | "broken";
  readonly found: readonly string[];
  readonly left: readonly string[];
}

/** What came of verifying a session. */
export interface SessionVerification extends Verification {
  readonly id: string;
  /** The number of its last prompt; 0 where there was none, or nobody can tell. */
  readonly prompts: number;
  /** Whether the last prompt has no end: it runs right now, or the next start finishes it. */
  readonly isUnfinished: boolean;
  /** The process that uses it, for people; it was only looked at then. */
  readonly holder?: string;
  /** The names of files in its folder that keep what was damaged, as it was. */
  readonly kept: readonly string[];
}

/**
 * Checks a session, and mends what can be mended, unless another process uses it. Throws `SessionIdError`,
 * `UnknownSessionError`, or `JournalError` at a symbolic link.
 */
export function verifySession(dataDir: string, id: string, options: VerifyOptions): SessionVerification {
  const folder = sessionFolder(dataDir, id);
  const { now, redactor } = options;
  const seen = findInSession(folder, now, redactor);
  const holder = sessionHolder(dataDir, id);
  if (options.isCheck || holder !== undefined || !seen.findings.some(({ canBeMended }) => canBeMended)) {
    return { ...report(id, seen), ...(holder !== undefined && { holder }) };
  }
  const { kept, failure } = tryToMend(dataDir, id, { seen, now, redactor });
  const after = report(id, findInSession(folder, now, redactor));
  const found = textsOf(seen.findings);
  const left = [...after.left, ...failure];
  const state = left.length === 0 ? "repaired" : "broken";
  return { ...after, state, found, left, kept: kept.map((path) => basename(path)) };
}

function report(id: string, { prompts, isUnfinished, findings }: FoundSession): SessionVerification {
  const texts = textsOf(findings);
  return { id, state: stateOf(findings), prompts, isUnfinished, found: texts, left: texts, kept: [] };
}

/** Before anything is mended. */
export function stateOf(findings: readonly SessionFinding[]): Verification["state"] {
  if (findings.length === 0) return "ok";
  return findings.every(({ canBeMended }) => canBeMended) ? "repairable" : "broken";
}

interface Mending {
  readonly seen: FoundSession;
  readonly now: number;
  readonly redactor: Redactor | undefined;
}

/** The paths of what is kept, and why not all could be mended. */
interface Mended {
  readonly kept: readonly string[];
  readonly failure: readonly string[];
}

function tryToMend(dataDir: string, id: string, mending: Mending): Mended {
  const kept: string[] = [];
  try {
    for (const path of mend(sessionFolder(dataDir, id), id, mending)) kept.push(path);
    reopen(dataDir, id, mending);
    return { kept, failure: [] };
  } catch (error) {
    return { kept, failure: [errorMessage(error)] };
  }
}

function* mend(folder: string, id: string, { seen, now }: Mending): Generator<string, void, undefined> {
  const lock = lockSession(join(folder, "lock"), id, now);
  try {
    for (const path of seen.damaged) yield* mendJournal(folder, path, now);
    const history = seen.isHistoryWrong ? keepHistory(folder, `.damaged-${timeName(now)}`) : undefined;
    if (history !== undefined) yield history;
    removeLeftovers(leftovers(folder, now));
    closeToOthers(openToOthers(folder));
  } finally {
    lock.release();
  }
}

function mendJournal(folder: string, path: string, now: number): readonly string[] {
  const { tornLine, damage } = readJournal(path, () => now);
  if (damage === undefined) return tornLine === undefined ? [] : [tornLine];
  const history = keepHistory(folder, damage.aside.slice(path.length));
  return history === undefined ? [damage.aside] : [damage.aside, history];
}

/** The way to a right view of the history is the one of every start. Whoever was faster has gone it already. */
function reopen(dataDir: string, id: string, { now, redactor }: Mending): void {
  if (journalPaths(sessionFolder(dataDir, id)).length === 0) return;
  try {
    const directory = sessionsFolder(dataDir);
    const ways = { now: () => now, onWarning: () => {}, ...(redactor && { redactor }) };
    openStoredSession({ directory, id, ...ways }).close();
  } catch (error) {
    if (!(error instanceof SessionInUseError)) throw error;
  }
}
