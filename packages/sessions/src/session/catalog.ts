import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { attempt, dataLayout, errorMessage } from "@mdx-ai/base";
import type { Message } from "@mdx-ai/models";
import { currentFigures } from "./kept-summary.ts";
import {
  checkSessionId,
  compareIds,
  compareTexts,
  sessionEntries,
  sessionFolder,
  sessionHolder,
  sessionNames,
  sessionsFolder,
} from "./session-folder.ts";
import { LIVE_JOURNAL, readJournals, requireJournal } from "./session-journals.ts";
import { readFigures, type SessionFigures } from "./session-summary.ts";
import { givenTitle } from "./session-title.ts";
import { hasChoices, readSkillChoices, type SkillChoices } from "./skill-choices.ts";
import type { SessionsVerification, VerifyOptions } from "./verify-session.ts";

/** The facts about a session that can be read without opening it. */
export interface SessionSummary extends SessionFigures {
  readonly state: "readable";
  readonly id: string;
  /** The user's title, else the first prompt. Untrusted text. */
  readonly title: string;
  /** All tokens, cached input included. */
  readonly tokens: number;
  /** The time of the journal's last line, in milliseconds since 1970; absent if there is no journal. */
  readonly lastUsed?: number;
  /** The skills that the user enabled or disabled; absent if there are none. */
  readonly skills?: SkillChoices;
  /** The process that runs the unfinished prompt, for people; absent if it was interrupted. */
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
  /** The most recently used first; sessions without a journal and damaged ones last. */
  readonly sessions: readonly (SessionSummary | DamagedSession)[];
  /** Entries of `sessions/` that are not sessions, with the reason, for people. */
  readonly skipped: readonly string[];
}

/** A session with all its messages. */
export interface SessionRecord {
  readonly summary: SessionSummary;
  /** All messages, including an unfinished prompt's. */
  readonly messages: readonly Message[];
}

/**
 * Lists all sessions, even while other processes use them: takes no lock. Reads the stored summary of each, and journals only
 * if the summary is out of date; then rewrites the summary and changes nothing else. Throws `JournalError` if `sessions/` is
 * a symbolic link, or the file system's error.
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
 * Reads one session, even while another process uses it. Takes no lock and changes no file. Throws `SessionIdError`,
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
  /** The session to verify. Default: all. */
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

/**
 * The most recently used session, of a workspace if one is given; undefined if there is none. Updates summaries, but not if `changesNothing`.
 * Throws as `listSessions` does.
 */
export function lastSession(dataDir: string, workspace?: string, changesNothing = false): string | undefined {
  const workspaceOf = changesNothing ? writtenWorkspace : sessionWorkspace;
  const used = sessionNames(sessionsFolder(dataDir)).map((id) => ({ id, at: journalStats(dataDir, id)?.mtimeMs ?? 0 }));
  const newest = used.filter(({ at }) => at > 0).sort((one, other) => other.at - one.at);
  return newest.find(({ id }) => workspace === undefined || workspaceOf(dataDir, id) === workspace)?.id;
}

/** As `sessionWorkspace`, from the journal alone. */
const writtenWorkspace = (dataDir: string, id: string): string | undefined =>
  attempt(() => readSession(dataDir, id))?.summary.workspace;

/**
 * The ids of the sessions with an interrupted prompt or a queued input, in no order. A damaged session has none. Throws as `listSessions`
 * does.
 */
export const unfinishedSessions = (dataDir: string): readonly string[] =>
  sessionNames(sessionsFolder(dataDir)).filter((id) =>
    attempt(() => currentFigures(sessionFolder(dataDir, id)).isUnfinished),
  );

/** The last workspace of a session; undefined if unknown, or if it never had one. Never throws. */
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
    tokens: figures.cost.usage.total,
    ...(lastUsed !== undefined && { lastUsed }),
    ...(hasChoices(skills) && { skills }),
    ...(holder !== undefined && { holder }),
  };
}

/** When the last line of its journal was written; undefined if it has no journal. */
const journalStats = (dataDir: string, id: string): Stats | undefined =>
  lstatSync(join(dataLayout(dataDir).sessions, id, LIVE_JOURNAL), { throwIfNoEntry: false });

const lastUse = (session: SessionSummary | DamagedSession): number =>
  session.state === "damaged" ? 0 : (session.lastUsed ?? 0);
