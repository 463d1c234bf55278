import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { errorMessage } from "../error-message.ts";
import { compareIds } from "./compare-ids.ts";
import { closeToOthers, isOpenToOthers } from "./owner-only.ts";
import { broken, mendable, type SessionFinding, textsOf } from "./session-finding.ts";
import { sessionEntries, sessionsFolder } from "./session-folder.ts";
import { leftoverSessions, removeLeftovers } from "./session-leftovers.ts";
import {
  type SessionVerification,
  stateOf,
  type Verification,
  type VerifyOptions,
  verifySession,
} from "./verify-session.ts";

/** What came of verifying the sessions of a data directory. */
export interface SessionsVerification {
  /** In the order of their ids. */
  readonly sessions: readonly SessionVerification[];
  /** What is wrong with `sessions/` itself. */
  readonly folder: Verification;
}

/** Verifies all sessions, one after the other. Throws `JournalError` where `sessions/` is no folder, or what the file system says. */
export function verifyAll(dataDir: string, options: VerifyOptions): SessionsVerification {
  const folder = sessionsFolder(dataDir);
  const ids = sessionEntries(folder).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
  return {
    folder: verifyFolder(folder, options),
    sessions: ids.sort(compareIds).map((id) => verifyOne(dataDir, id, options)),
  };
}

/** What is wrong with one session keeps nobody from the others. */
function verifyOne(dataDir: string, id: string, options: VerifyOptions): SessionVerification {
  try {
    return verifySession(dataDir, id, options);
  } catch (error) {
    const texts = [errorMessage(error)];
    return { id, state: "broken", prompts: 0, isUnfinished: false, found: texts, left: texts, kept: [] };
  }
}

function verifyFolder(folder: string, { now, isCheck }: VerifyOptions): Verification {
  const findings = findInFolder(folder, now);
  const found = textsOf(findings);
  const state = stateOf(findings);
  if (isCheck || !findings.some(({ canBeMended }) => canBeMended)) return { state, found, left: found };
  const left = [...tryToMend(folder, now), ...textsOf(findInFolder(folder, now))];
  return { state: left.length === 0 ? "repaired" : "broken", found, left };
}

/** Gives why not all could be mended. */
function tryToMend(folder: string, now: number): readonly string[] {
  try {
    removeLeftovers(leftoverSessions(folder, now));
    closeToOthers([folder]);
    return [];
  } catch (error) {
    return [errorMessage(error)];
  }
}

function findInFolder(folder: string, now: number): readonly SessionFinding[] {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  const left = leftoverSessions(folder, now).map((path) => basename(path));
  const links = sessionEntries(folder).filter((entry) => entry.isSymbolicLink());
  return [
    ...links.map(({ name }) => broken(`${join(folder, name)} is a symbolic link, which is not followed`)),
    ...(left.length > 0 ? [mendable(`a crash left ${left.join(", ")}`)] : []),
    ...(isOpenToOthers(stats) ? [mendable("others can use it")] : []),
  ];
}
