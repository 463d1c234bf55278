import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import { errorMessage } from "../error-message.ts";
import { JOURNAL_VERSION, type JournalLine } from "../journal/journal-line.ts";
import { totalTokens } from "../spending/spending.ts";
import { END_STEP } from "../step-names.ts";
import type { Spending } from "../types/event.ts";
import { compareIds } from "./compare-ids.ts";
import { firstInput } from "./first-input.ts";
import { lookAtJournals } from "./look-at-lines.ts";
import { requireJournal } from "./lost-journal.ts";
import { journalPath, sessionEntries, sessionFolder, sessionsFolder } from "./session-folder.ts";
import { readTranscript, type Transcript } from "./transcript.ts";

/** What is known of a session without opening it. */
export interface SessionSummary {
  readonly state: "readable";
  readonly id: string;
  /** The beginning of the first prompt on one line, of at most 80 characters; empty where there was none. Foreign text. */
  readonly title: string;
  readonly prompts: number;
  /** Answers of models in the transcript. */
  readonly turns: number;
  /** All tokens, cached input included. */
  readonly tokens: number;
  readonly spending: Spending;
  /** When the first prompt came, in milliseconds since 1970; absent where there was none. */
  readonly created?: number;
  /** Milliseconds since 1970 of the journal's last line; absent where there is no journal. */
  readonly lastUsed?: number;
  /** Whether the last prompt has no end: it runs right now, or a crash cut it short. */
  readonly isUnfinished: boolean;
  /** How many lines of its journals cannot be read and are left out here; absent where there are none. */
  readonly damagedLines?: number;
}

/** A session that cannot be read. */
export interface DamagedSession {
  readonly state: "damaged";
  readonly id: string;
  /** Why not, for people. */
  readonly damage: string;
}

/** The sessions of a data directory. */
export interface SessionCatalog {
  /** The last used first; those without a journal and the damaged ones last. */
  readonly sessions: readonly (SessionSummary | DamagedSession)[];
  /** What stands among the sessions and is none, and why, for people. */
  readonly skipped: readonly string[];
}

/** A session as it can be read. */
export interface SessionRecord {
  readonly summary: SessionSummary;
  /** All messages, also those of a prompt without an end. */
  readonly messages: readonly Message[];
}

const TITLE_CHARACTERS = 80;

/**
 * Looks at all sessions, one after the other, and holds of each its summary alone. Takes no lock and changes no file.
 * Throws `JournalError` where `sessions/` is a symbolic link, or what the file system says of it.
 */
export function listSessions(dataDir: string): SessionCatalog {
  const folder = sessionsFolder(dataDir);
  const entries = sessionEntries(folder);
  const links = entries.filter((entry) => entry.isSymbolicLink());
  const sessions = entries.filter((entry) => entry.isDirectory()).map(({ name }) => summaryOf(dataDir, name));
  return {
    sessions: sessions.sort((one, other) => lastUse(other) - lastUse(one) || compareIds(one.id, other.id)),
    skipped: links.map(({ name }) => `${join(folder, name)} is a symbolic link, which is not followed`).sort(compare),
  };
}

/**
 * Looks at one session. Takes no lock and changes no file. Throws `SessionIdError`, `UnknownSessionError`, or `JournalError`
 * where a journal is missing, cannot be read, or is of a newer version.
 */
export function readSession(dataDir: string, id: string): SessionRecord {
  const folder = sessionFolder(dataDir, id);
  const path = journalPath(folder);
  const lastUsed = lstatSync(path, { throwIfNoEntry: false })?.mtime.getTime();
  requireJournal(folder);
  const { lines, damagedLines } = lookAtJournals(folder);
  const created = firstInput(lines)?.timestamp;
  const { conversation, spending, lastPrompt, isUnfinished } = wholeTranscript(lines);
  const { messages } = conversation;
  const summary = {
    state: "readable" as const,
    id,
    title: titleOf(messages),
    prompts: lastPrompt,
    turns: messages.filter(({ role }) => role === "assistant").length,
    tokens: totalTokens(spending.usage),
    spending,
    ...(created !== undefined && { created }),
    ...(lastUsed !== undefined && { lastUsed }),
    isUnfinished,
    ...(damagedLines > 0 && { damagedLines }),
  };
  return { summary, messages };
}

/** A transcript with the prompt that has no end as well, which is read as if it ended here. */
function wholeTranscript(lines: readonly JournalLine[]): Transcript & Pick<SessionSummary, "isUnfinished"> {
  const transcript = readTranscript(lines);
  if (transcript.interrupted === undefined) return { ...transcript, isUnfinished: false };
  const end = { v: JOURNAL_VERSION, prompt: transcript.lastPrompt, step: END_STEP, result: null } as const;
  return { ...readTranscript([...lines, end]), isUnfinished: true };
}

function summaryOf(dataDir: string, id: string): SessionSummary | DamagedSession {
  try {
    return readSession(dataDir, id).summary;
  } catch (error) {
    // Whatever is wrong with one session, the others can still be shown.
    return { state: "damaged", id, damage: errorMessage(error) };
  }
}

function titleOf(messages: readonly Message[]): string {
  const first = messages.find(({ role }) => role === "user");
  const line = contentText(first?.content ?? [])
    // A prompt may be huge, and only its beginning is wanted.
    .slice(0, 20 * TITLE_CHARACTERS)
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  if (characters.length <= TITLE_CHARACTERS) return line;
  return `${characters.slice(0, TITLE_CHARACTERS - 1).join("")}…`;
}

const lastUse = (session: SessionSummary | DamagedSession): number =>
  session.state === "damaged" ? 0 : (session.lastUsed ?? 0);

/** By code units, the same on every machine. */
const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
