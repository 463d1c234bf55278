import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errorMessage, once } from "@mdx-ai/base";
import { sizeOf, timeName } from "@mdx-ai/base/disk";
import { type AgentParts, type Conversation, firstHeld, forgetUnsent, STEPS, type Step } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import { readPrompt } from "../history/read-prompt.ts";
import { sessionStep } from "../hosts/journaled-steps.ts";
import { type Journal, openJournalFile, resultLine } from "../journal/journal.ts";
import { rollOver } from "./begin-journal.ts";
import { HistoryView, type Shown } from "./history-view.ts";
import {
  readSessionFolder,
  type SessionFilesOptions,
  type SessionLines,
  wholeTranscript,
} from "./read-session-folder.ts";
import { type BegunPrompt, hasModeNote, type PromptJournal } from "./session.ts";
import { LIVE_JOURNAL } from "./session-journals.ts";
import { makeSessionKey, sessionKey } from "./session-key.ts";
import { NO_CHOICES, readSkillChoices, type SkillChoices } from "./skill-choices.ts";
import { newTranscript, type Transcript } from "./transcript.ts";

/** The mutable state of an open session. */
type Changing = {
  -readonly [Key in
    | "cost"
    | "lastPrompt"
    | "interrupted"
    | "queued"
    | "highest"
    | "agentParts"
    | "modeNote"]: Transcript[Key];
};

/** The state of a session between two archivings. */
export interface SessionFiles extends Changing, Pick<Transcript, "conversation" | "promptIds"> {
  /** Unique: an earlier or later session with the same id has another key. */
  readonly key: string;
  readonly journal: Journal;
  /** Returns `history.json`, which is written after the first prompt. */
  readonly history: () => HistoryView;
  readonly ownStep: Step;
  isUntrusted: boolean;
  skills: SkillChoices;
  /** The journal size in bytes from which reopening the session begins a new journal. */
  readonly longFrom: number;
}

const LONG = 8 * 1024 * 1024;

/** Opens the files of a session that this process has locked, and fixes them. Throws `JournalError`, or the file system's error. */
export function openSessionFiles(options: SessionFilesOptions): SessionFiles {
  const { folder, policy, longFrom = LONG, redactor, owner } = options;
  const isNew = isEmpty(folder);
  const read = isNew ? { lines: [], transcript: newTranscript(), isDamaged: false } : readSessionFolder(options);
  const { own, before, owner: ownedBy, ...transcript } = read.transcript;
  const history = once(
    () =>
      new HistoryView({
        path: join(folder, "history.json"),
        ...(read.isDamaged && { kept: join(folder, `history.json.damaged-${timeName(options.clock.now())}`) }),
        start: { messages: before.messages, bytes: before.history },
        whole: () => wholeTranscript(folder),
        redactor,
      }),
  );
  if (!isNew) {
    updateView({ history, conversation: transcript.conversation }, options);
    putAside(read, history().shown, options);
    forgetUnsent(transcript.conversation, policy);
  }
  const journal = openJournalFile(join(folder, LIVE_JOURNAL), { redactor, lease: options });
  const files = {
    ...transcript,
    key: isNew ? makeSessionKey(folder) : sessionKey(folder),
    journal,
    history,
    ownStep: sessionStep(journal, own),
    isUntrusted: owner !== undefined && ownedBy !== owner,
    skills: isNew ? NO_CHOICES : readSkillChoices(folder),
    // If the rollover failed, the journal is not read again at each prompt.
    longFrom: longFrom + (!isNew && isLong(folder, longFrom) ? journalSize(folder) : 0),
  };
  adopt(files, owner);
  return files;
}

/** Signs an untrusted session that has no pending work, so that it is trusted from now on. */
function adopt(files: SessionFiles, owner: string | undefined): void {
  const { isUntrusted, interrupted, queued, journal } = files;
  if (owner === undefined || !isUntrusted || interrupted !== undefined || queued.length > 0) return;
  journal.append(resultLine(0, STEPS.owner.name(), owner));
  files.isUntrusted = false;
}

/** Begins a new prompt, or resumes the interrupted one. If its work fails, the session must be read again. */
export function beginPrompt(
  files: SessionFiles,
  { queued, id, agentParts }: BegunPrompt,
  owner: string | undefined,
): PromptJournal {
  if (agentParts !== undefined) setAgentParts(files, agentParts);
  adopt(files, owner);
  const { interrupted: journaled = [], journal, conversation } = files;
  if (!files.interrupted) files.lastPrompt++;
  files.interrupted = undefined;
  files.queued = files.queued.filter(({ number }) => number !== queued);
  if (id !== undefined) files.promptIds.add(id);
  return { journal, prompt: files.lastPrompt, journaled, conversation };
}

/** Journals the agent's parts from now on, so that a replay can report later changes. */
function setAgentParts(files: SessionFiles, agentParts: AgentParts): void {
  if (Bun.deepEquals(agentParts, files.agentParts)) return;
  files.highest = { ...files.highest, agent: files.highest.agent + 1 };
  files.agentParts = agentParts;
  files.journal.append(resultLine(0, STEPS.agent.name(files.highest.agent), agentParts));
}

/** Keeps the note about the user's mode that an ended prompt has sent. */
export function endPrompt(
  files: SessionFiles,
  { journaled, conversation }: PromptJournal,
  { before, modeNote }: { readonly before: number; readonly modeNote: string | undefined },
): void {
  const note = journaled.length === 0 ? modeNote : readPrompt(journaled).begin?.plan.modeNote;
  if (note !== undefined && hasModeNote(note, conversation.messages.slice(before))) files.modeNote = note;
}

/** Begins a new journal if the current one has grown too long. */
function putAside({ lines, transcript }: SessionLines, shown: Shown | undefined, options: SessionFilesOptions): void {
  const { folder, longFrom = LONG, onWarning } = options;
  if (shown === undefined || transcript.interrupted || !isLong(folder, longFrom)) return;
  try {
    rollOver(folder, { ...transcript, shown, tail: shortTail(transcript.conversation, options) });
  } catch (error) {
    // The journal keeps growing.
    onWarning(`the journal of ${lines.length} lines could not be rolled over: ${errorMessage(error)}`);
  }
}

/** Whether a folder contains only its lock. */
const isEmpty = (folder: string): boolean => readdirSync(folder).every((name) => name === "lock");

/** Whether the journal has grown so long that reopening the session begins a new one. */
export const isLong = (folder: string, longFrom: number): boolean => journalSize(folder) >= longFrom;

const journalSize = (folder: string): number => sizeOf(join(folder, LIVE_JOURNAL));

/** The view can be rebuilt from the journal later, so its failure does not end a prompt. */
export function updateView(
  { history, conversation }: Pick<SessionFiles, "history" | "conversation">,
  { onWarning }: Pick<SessionFilesOptions, "onWarning">,
): void {
  try {
    history().update(conversation);
  } catch (error) {
    onWarning(`history.json could not be written (${errorMessage(error)}); the journal is complete`);
  }
}

/** The part of the transcript in memory, if it is short; otherwise it stays in the older journals only. */
function shortTail(conversation: Conversation, { policy, longFrom = LONG }: SessionFilesOptions): readonly Message[] {
  const { first, messages } = conversation;
  const tail = messages.slice(firstHeld(conversation, policy) - first);
  let room = longFrom / 4;
  const isShort = tail.every((message) => {
    room -= JSON.stringify(message).length;
    return room >= 0;
  });
  return isShort ? tail : [];
}
