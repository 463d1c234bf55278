import type { Message } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import { firstInput } from "../history/prompt-input.ts";
import { JOURNAL_VERSION, type JournalLine } from "../journal/journal-line.ts";
import { addSpending, noSpending } from "../spending/spending.ts";
import { END_STEP } from "../step-names.ts";
import type { Spending } from "../types/event.ts";
import { readTranscript, type Transcript } from "./transcript.ts";

/** What the journals of a session say about it in short. */
export interface SessionFigures {
  /** The beginning of the first prompt on one line, of at most 80 characters; empty if there is none. Foreign text. */
  readonly title: string;
  readonly prompts: number;
  /** Answers of models in the transcript. */
  readonly turns: number;
  readonly spending: Spending;
  /** The time of the first prompt, in milliseconds since 1970; absent if there is none. */
  readonly created?: number;
  /** Whether the last prompt has no end: it runs right now, or a crash interrupted it. */
  readonly isUnfinished: boolean;
  /** How many lines of its journals cannot be read and are left out; absent if there are none. */
  readonly damagedLines?: number;
}

/** The figures of a session and all its messages, also those of a prompt without an end. */
export interface ReadFigures {
  readonly figures: SessionFigures;
  readonly messages: readonly Message[];
}

const NO_FIGURES: SessionFigures = { title: "", prompts: 0, turns: 0, spending: noSpending, isUnfinished: false };

/** The figures of all lines of a session, or of the lines that follow those of `before`. Pure. */
export function readFigures(
  lines: readonly JournalLine[],
  damagedLines: number,
  before: SessionFigures = NO_FIGURES,
): ReadFigures {
  const { conversation, spending, lastPrompt, isUnfinished } = wholeTranscript(lines);
  const { messages } = conversation;
  // Also of a branch that was left by going back.
  const created = before.created ?? firstInput(lines)?.timestamp;
  const damaged = (before.damagedLines ?? 0) + damagedLines;
  const figures = {
    title: before.prompts > 0 ? before.title : titleOf(messages),
    prompts: Math.max(before.prompts, lastPrompt),
    turns: before.turns + messages.filter(({ role }) => role === "assistant").length,
    spending: addSpending(before.spending, spending),
    ...(created !== undefined && { created }),
    isUnfinished,
    ...(damaged > 0 && { damagedLines: damaged }),
  };
  return { figures, messages };
}

/** A transcript that includes the messages of an unfinished prompt. */
function wholeTranscript(lines: readonly JournalLine[]): Transcript & Pick<SessionFigures, "isUnfinished"> {
  const transcript = readTranscript(lines);
  if (transcript.interrupted === undefined) return { ...transcript, isUnfinished: false };
  const end = { v: JOURNAL_VERSION, prompt: transcript.lastPrompt, step: END_STEP, result: null } as const;
  return { ...readTranscript([...lines, end]), isUnfinished: true };
}

const TITLE_CHARACTERS = 80;

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
