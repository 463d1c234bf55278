import { statSync } from "node:fs";
import { type AgentParts, type Compaction, type Conversation, type Cost, contentText, STEPS } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import { playableLines, promptDamage } from "../damage/close-prompt.ts";
import type { PromptHistory } from "../history/prompt-history.ts";
import { readHistory } from "../history/read-history.ts";
import { readPrompt } from "../history/read-prompt.ts";
import { segmentHead } from "../history/segment-head.ts";
import { ReplayError } from "../hosts/replay-error.ts";
import { type JournalLine, UNREADABLE_STEP } from "../journal/journal.ts";
import { readJournal } from "../journal/read-journal.ts";
import { isImported } from "../session/import-history.ts";
import { sessionFolder } from "../session/session-folder.ts";
import { readJournalLines } from "../session/session-journals.ts";
import { compactionsOf, newestCompaction, promptMessages } from "../session/transcript.ts";

/** The location of a recording: a session of the data directory, or the absolute path of a file with a session's lines. */
export type RecordingSource = { readonly session: string } | { readonly file: string };

/** A prompt of a recorded session. */
export interface RecordedPrompt {
  /** Its number in the session. */
  readonly number: number;
  /** The user's input at its beginning; empty if lost. */
  readonly input: string;
  /** The user's input while it ran. */
  readonly steering: readonly string[];
  /** The usage and cost of its answers. */
  readonly cost: Cost;
  /** Whether it has ended. */
  readonly isWhole: boolean;
  /** Whether it was cancelled while interrupted, so that no loop reached its end. */
  readonly isCancelled: boolean;
  readonly history: PromptHistory;
  /** How many messages of the transcript came before it, and the newest summary of these. */
  readonly messagesBefore: number;
  readonly compactionBefore: Compaction | undefined;
  /** The agent's parts at that time; undefined if the journal lacks them. */
  readonly agent: AgentParts | undefined;
}

/** A recorded session: the prompts of its transcript, without abandoned branches. */
export interface Recording {
  /** The messages of all prompts, in their order. */
  readonly messages: readonly Message[];
  readonly prompts: readonly RecordedPrompt[];
  /** The result of the code in the agent's prose, as Markdown; undefined if there is none. */
  readonly identity: string | undefined;
}

/** Reads the lines of a session's journals, in the order in which they were written. */
export function readRecording(lines: readonly JournalLine[]): Recording {
  const { before, path, own } = readHistory(lines);
  const messages: Message[] = isImported(before) ? [...before.tail] : [];
  const compactions: Compaction[] = [];
  const prompts: RecordedPrompt[] = [];
  for (const prompt of path) {
    const { number, begin, steering, cost, agent } = prompt;
    if (number > 0 && prompt.lines.length > 0) {
      const playable = playableLines(prompt.lines);
      const history = playable === prompt.lines ? prompt : readPrompt(playable);
      prompts.push({
        number,
        input: contentText(begin?.message.content ?? []),
        steering: steering.map(({ message }) => contentText(message.content)),
        cost,
        isWhole: history.hasEnded,
        isCancelled: playable !== prompt.lines && promptDamage(prompt.lines) === undefined,
        history,
        messagesBefore: messages.length,
        compactionBefore: newestCompaction(compactions, messages.length),
        agent,
      });
    }
    messages.push(...promptMessages(prompt));
    compactions.push(...compactionsOf(prompt));
  }
  return { messages, prompts, identity: own.identity };
}

/** The conversation when a prompt of a recording began. */
export const conversationBefore = (
  { messages }: Recording,
  { messagesBefore, compactionBefore: compaction }: RecordedPrompt,
): Conversation => ({ first: 0, messages: messages.slice(0, messagesBefore), compaction });

/** The lines of a recording. Takes no lock and changes nothing. Throws as `openReplay` rejects. */
export function readSource(dataDir: string, source: RecordingSource): readonly JournalLine[] {
  if ("session" in source) return readJournalLines(sessionFolder(dataDir, source.session));
  const { file } = source;
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new ReplayError(`there is no file ${file}`);
  const { lines, unreadable } = readJournal(file);
  if (unreadable[0] === undefined) return lines;
  throw new ReplayError(`${file}:${unreadable[0]} is not a line of a recording`);
}

/**
 * A session as one recording: the lines of all its journals, one JSON value per line, without lines that only repeat older
 * journals; lines of an imported `history.json` stay. Takes no lock. Throws `SessionIdError`, `UnknownSessionError` or `JournalError`.
 */
export const recordingText = (dataDir: string, session: string): string =>
  readJournalLines(sessionFolder(dataDir, session))
    .filter(({ step }) => step !== UNREADABLE_STEP)
    .filter((line) => line.prompt !== 0 || line.step !== STEPS.segment.name() || isImportLine(line))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");

function isImportLine(line: JournalLine): boolean {
  const head = segmentHead(line);
  return head !== undefined && isImported(head);
}
