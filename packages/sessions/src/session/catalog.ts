import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { attempt, dataLayout, errorMessage } from "@mdx-ai/base";
import { totalTokens } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import { currentFigures } from "./kept-summary.ts";
import {
  checkSessionId,
  compareIds,
  compareTexts,
  sessionEntries,
  sessionFolder,
  sessionNames,
  sessionsFolder,
} from "./session-folder.ts";
import { LIVE_JOURNAL, readJournals, requireJournal } from "./session-journals.ts";
import { sessionHolder } from "./session-lock.ts";
import { readFigures, type SessionFigures } from "./session-summary.ts";
import { givenTitle } from "./session-title.ts";
import { hasChoices, readSkillChoices, type SkillChoices } from "./skill-choices.ts";
import type { SessionsVerification, VerifyOptions } from "./verify-session.ts";

/** The facts about a session that need no opening. */
export interface SessionSummary extends SessionFigures {
  readonly state: "readable";
  readonly id: string;
  /** The title that a user gave it, else that of its figures. Foreign text. */
  readonly title: string;
  /** All tokens, cached input included. */
  readonly tokens: number;
  /** The time of the journal's last line, in milliseconds since 1970; absent if there is no journal. */
  readonly lastUsed?: number;
  /** The skills that its user enabled or disabled; absent if there are none. */
  readonly skills?: SkillChoices;
  /** The process that runs the unfinished prompt, for people; absent if no process holds the session: a crash interrupted it. */
  readonly holder?: string;
}

/** A session that cannot be read. */
export interface DamagedSession {
  readonly state: "damaged";
  readonly id: string;
  /** The reason, for people. */
  readonly damage: string;
}

/** The sessions of a data directory. */
export interface SessionCatalog {
  /** The last used first; those without a journal and the damaged ones last. */
  readonly sessions: readonly (SessionSummary | DamagedSession)[];
  /** Entries of `sessions/` that are no sessions, and why, for people. */
  readonly skipped: readonly string[];
}

/** A session, read whole. */
export interface SessionRecord {
  readonly summary: SessionSummary;
  /** All messages, also those of a prompt without an end. */
  readonly messages: readonly Message[];
}

/**
 * Lists all sessions, also while other processes use them: takes no lock. Reads the kept summary of each, and journals only
 * if that is out of date; it rewrites such a summary and changes nothing else. Throws `JournalError` if `sessions/` is
 * a symbolic link, or what the file system says of it.
 */
export function listSessions(dataDir: string): SessionCatalog {
  const folder = sessionsFolder(dataDir);
  const entries = sessionEntries(folder);
  const links = entries.filter((entry) => entry.isSymbolicLink());
  const sessions = entries.filter((entry) => entry.isDirectory()).map(({ name }) => sessionSummary(dataDir, name));
  return {
    sessions: sessions.sort((one, other) => lastUse(other) - lastUse(one) || compareIds(one.id, other.id)),
    skipped: links
      .map(({ name }) => `${join(folder, name)} is a symbolic link, which is not followed`)
      .sort(compareTexts),
  };
}

/**
 * Reads one session, also while another process uses it. Takes no lock and changes no file. Throws `SessionIdError`,
 * `UnknownSessionError`, or `JournalError` if a journal is missing, cannot be read, or is of a newer version.
 */
export function readSession(dataDir: string, id: string): SessionRecord {
  const folder = sessionFolder(dataDir, id);
  requireJournal(folder);
  const { lines, damage } = readJournals(folder);
  const { figures, messages } = readFigures(lines, damage.length);
  return { summary: summaryOf(dataDir, id, figures), messages };
}

export interface VerifySessionsOptions extends VerifyOptions {
  /** The one session to verify; all if absent. */
  readonly id?: string | undefined;
}

/**
 * Checks the sessions of a data directory and repairs repairable ones; a session that another process uses is only
 * checked. Rejects with `SessionIdError`, `UnknownSessionError`, or `JournalError` if `sessions/` is no folder, or a
 * symbolic link.
 */
export async function verifySessions(
  dataDir: string,
  { id, ...options }: VerifySessionsOptions,
): Promise<SessionsVerification> {
  // Loaded lazily: running an agent does not need it.
  const { verifyAll, verifySession } = await import("./verify-session.ts");
  if (id === undefined) return verifyAll(dataDir, options);
  return { sessions: [verifySession(dataDir, id, options)], folder: { state: "ok", found: [], left: [] } };
}

/** The session that was used last, of a workspace if one is given; undefined if there is none. Throws as `listSessions` does. */
export function lastSession(dataDir: string, workspace?: string): string | undefined {
  const used = sessionNames(sessionsFolder(dataDir)).map((id) => ({ id, at: journalStats(dataDir, id)?.mtimeMs ?? 0 }));
  const newest = used.filter(({ at }) => at > 0).sort((one, other) => other.at - one.at);
  return newest.find(({ id }) => workspace === undefined || sessionWorkspace(dataDir, id) === workspace)?.id;
}

/** Where the tools of a session worked last; undefined if that is unknown, or was always the agent directory. Never throws. */
export const sessionWorkspace = (dataDir: string, id: string): string | undefined =>
  attempt(() => currentFigures(sessionFolder(dataDir, id)))?.workspace;

/** One session as `listSessions` shows it. Never throws; a session that does not exist has no prompts. */
export function sessionSummary(dataDir: string, id: string): SessionSummary | DamagedSession {
  try {
    checkSessionId(id);
    return summaryOf(dataDir, id, currentFigures(join(dataLayout(dataDir).sessions, id)));
  } catch (error) {
    // A damaged session does not hide the others.
    return { state: "damaged", id, damage: errorMessage(error) };
  }
}

function summaryOf(dataDir: string, id: string, figures: SessionFigures): SessionSummary {
  const folder = join(dataLayout(dataDir).sessions, id);
  const title = givenTitle(folder);
  const skills = readSkillChoices(folder);
  const lastUsed = journalStats(dataDir, id)?.mtime.getTime();
  const holder = figures.isUnfinished ? sessionHolder(dataDir, id) : undefined;
  return {
    state: "readable",
    id,
    ...figures,
    ...(title !== undefined && { title }),
    tokens: totalTokens(figures.cost.usage),
    ...(lastUsed !== undefined && { lastUsed }),
    ...(hasChoices(skills) && { skills }),
    ...(holder !== undefined && { holder }),
  };
}

/** Undefined if it has no journal; changed with its last line. */
const journalStats = (dataDir: string, id: string): Stats | undefined =>
  lstatSync(join(dataLayout(dataDir).sessions, id, LIVE_JOURNAL), { throwIfNoEntry: false });

const lastUse = (session: SessionSummary | DamagedSession): number =>
  session.state === "damaged" ? 0 : (session.lastUsed ?? 0);
