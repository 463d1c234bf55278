import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { attempt, errorMessage, type Redactor } from "@mdx-ai/base";
import { checkPaths } from "@mdx-ai/base/disk";
import { asJournalError } from "../journal/journal.ts";
import { USED_IDS } from "./new-session.ts";
import {
  broken,
  type CheckedSession,
  checkSession,
  closeToOthers,
  type Finding,
  isOpenToOthers,
  repairable,
  staleFinding,
} from "./session-damage.ts";
import {
  checkSessionId,
  compareIds,
  sessionEntries,
  sessionFolder,
  sessionNames,
  sessionsFolder,
} from "./session-folder.ts";
import { journalPaths } from "./session-journals.ts";
import { SessionInUseError, sessionHolder, whileLocked } from "./session-lock.ts";
import { openStoredSession } from "./stored-session.ts";

export interface VerifyOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Checks only, and changes nothing. */
  readonly isCheck: boolean;
  /** The agent's own one: a history view lacks redacted text. */
  readonly redactor?: Redactor | undefined;
}

/** The damage found, and the remaining damage. Both for people. */
export interface Verification {
  /** `repairable`: nothing was changed; `broken`: something cannot be repaired. */
  readonly state: "ok" | "repaired" | "repairable" | "broken";
  readonly found: readonly string[];
  readonly left: readonly string[];
}

/** The result of verifying a session. */
export interface SessionVerification extends Verification {
  readonly id: string;
  /** Since it was last cleared; 0 if it cannot be read. */
  readonly prompts: number;
  /** Whether the last prompt has no end: it runs right now, or the next start finishes it. */
  readonly isUnfinished: boolean;
  /** The process that uses it, for people; nothing was changed then. */
  readonly holder?: string;
  /** The names of files in its folder that keep what was damaged, as it was. */
  readonly kept: readonly string[];
}

/** The result of verifying the sessions of an agent directory. */
export interface SessionsVerification {
  /** In the order of their ids. */
  readonly sessions: readonly SessionVerification[];
  /** The damage of `sessions/` itself. */
  readonly folder: Verification;
}

/** Verifies all sessions, one after the other. Throws `JournalError` if `sessions/` is no folder, or what the file system says. */
export function verifyAll(dataDir: string, options: VerifyOptions): SessionsVerification {
  const folder = sessionsFolder(dataDir);
  return {
    folder: verifyFolder(folder, options),
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
 * `UnknownSessionError`, or `JournalError` at a symbolic link, or at something else in place of the folder.
 */
export function verifySession(dataDir: string, id: string, options: VerifyOptions): SessionVerification {
  checkSessionId(id);
  asJournalError(() => checkPaths({ folders: [join(sessionsFolder(dataDir), id)] }));
  const folder = sessionFolder(dataDir, id);
  const { now, redactor, isCheck } = options;
  const check = (): CheckedSession => checkSession(folder, now, redactor);
  const report = ({ prompts, isUnfinished }: CheckedSession) => ({ prompts, isUnfinished });
  const checked = check();
  // A lock that cannot be read is among the findings.
  const holder = attempt(() => sessionHolder(dataDir, id));
  if (isCheck || holder !== undefined || !isRepairable(checked.findings)) {
    return {
      id,
      ...unchanged(checked.findings),
      ...report(checked),
      ...(holder !== undefined && { holder }),
      kept: [],
    };
  }
  const kept: string[] = [];
  const failure = failureOf(() => {
    whileLocked(folder, now, () => repair(checked.findings, (path) => kept.push(basename(path))));
    reopen(dataDir, id, options);
  });
  const after = check();
  return { id, ...outcome(checked.findings, [...textsOf(after.findings), ...failure]), ...report(after), kept };
}

const isRepairable = (findings: readonly Finding[]): boolean =>
  findings.some((finding) => finding.repair !== undefined);

function repair(findings: readonly Finding[], onKept: (path: string) => void): void {
  for (const finding of findings) for (const path of finding.repair?.() ?? []) onKept(path);
}

/** Before, or without, any repair. */
function unchanged(findings: readonly Finding[]): Verification {
  const found = textsOf(findings);
  const state = findings.every((finding) => finding.repair !== undefined) ? "repairable" : "broken";
  return { state: found.length === 0 ? "ok" : state, found, left: found };
}

const outcome = (findings: readonly Finding[], left: readonly string[]): Verification => ({
  state: left.length === 0 ? "repaired" : "broken",
  found: textsOf(findings),
  left,
});

const textsOf = (findings: readonly Finding[]): readonly string[] => findings.map(({ text }) => text);

/** Why something failed; empty if it did not. */
function failureOf(work: () => void): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    return [errorMessage(error)];
  }
}

/** Opening a session rebuilds its views. A process that has taken it meanwhile has done so. */
function reopen(dataDir: string, id: string, { now, redactor }: VerifyOptions): void {
  if (journalPaths(sessionFolder(dataDir, id)).length === 0) return;
  try {
    const directory = sessionsFolder(dataDir);
    openStoredSession({ directory, id, now: () => now, onWarning: () => {}, ...(redactor && { redactor }) }).close();
  } catch (error) {
    if (!(error instanceof SessionInUseError)) throw error;
  }
}

function verifyFolder(folder: string, { now, isCheck }: VerifyOptions): Verification {
  const findings = checkFolder(folder, now);
  if (isCheck || !isRepairable(findings)) return unchanged(findings);
  const failure = failureOf(() => repair(findings, () => {}));
  return outcome(findings, [...failure, ...textsOf(checkFolder(folder, now))]);
}

function checkFolder(folder: string, now: number): readonly Finding[] {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  const strangers = sessionEntries(folder).flatMap(({ name }) =>
    failureOf(() => checkPaths({ folders: [join(folder, name)] })),
  );
  const record = lstatSync(join(folder, USED_IDS), { throwIfNoEntry: false });
  return [
    ...strangers.map(broken),
    ...(record && !record.isFile() ? [broken(`${join(folder, USED_IDS)} is not a file: ids may be used again`)] : []),
    ...staleFinding(folder, { now, prefix: "." }),
    ...(isOpenToOthers(stats) ? [repairable("others can use it", () => closeToOthers([folder]))] : []),
  ];
}
