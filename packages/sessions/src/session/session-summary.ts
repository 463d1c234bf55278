import { shortened } from "@mdx-ai/base";
import { addCost, type Cost, noCost } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import { typedText, typedWords } from "@mdx-ai/models/typed-words";
import { readHistory } from "../history/read-history.ts";
import { segmentHead } from "../history/segment-head.ts";
import type { QueueEntry } from "../history/session-history.ts";
import type { JournalLine } from "../journal/journal.ts";
import { newestWorkspace } from "./session-workspace.ts";
import { transcriptOf } from "./transcript.ts";

/** A short summary of a session, from its journals. */
export interface SessionFigures {
  /** The beginning of the first prompt on one line of at most 80 characters; empty if there is none. Untrusted text. */
  readonly title: string;
  /** Since the session was last cleared. */
  readonly prompts: number;
  /** The number of model answers in the transcript. */
  readonly turns: number;
  readonly cost: Cost;
  /** Its last workspace, links resolved; absent if it never had one. */
  readonly workspace?: string;
  /** The time of the first prompt, in milliseconds since 1970; absent if there is none. */
  readonly created?: number;
  /** Whether the last prompt has no end, since it is running or was interrupted, or an input is queued. */
  readonly isUnfinished: boolean;
  /** How many unreadable lines of its journals were left out; absent if none. */
  readonly damagedLines?: number;
}

/** The figures of a session up to a prompt. */
export interface FiguresUpTo {
  readonly figures: SessionFigures;
  /** The number of its last prompt; 0 if there is none. */
  readonly lastPrompt: number;
}

/** The figures of a session and all its messages, including an unfinished prompt's. */
export interface ReadFigures extends FiguresUpTo {
  readonly messages: readonly Message[];
}

const NOTHING: FiguresUpTo = {
  figures: { title: "", prompts: 0, turns: 0, cost: noCost, isUnfinished: false },
  lastPrompt: 0,
};

/** The figures of all lines of a session, or of the lines that follow those of `before`. Pure. */
export function readFigures(
  lines: readonly JournalLine[],
  damagedLines: number,
  { figures: before, lastPrompt: lastBefore }: FiguresUpTo = NOTHING,
): ReadFigures {
  const history = readHistory(lines);
  const { conversation, cost, lastPrompt, prompts } = transcriptOf(history);
  const { messages } = conversation;
  // Abandoned branches count, too.
  const first = history.prompts.find(({ begin }) => begin !== undefined);
  const created = before.created ?? first?.begin?.message.timestamp;
  const workspace = newestWorkspace(history) ?? before.workspace;
  const damaged = (before.damagedLines ?? 0) + damagedLines;
  const figures = {
    title: before.prompts > 0 ? before.title : titleOf(messages),
    prompts: before.prompts + Math.max(0, prompts - lastBefore),
    turns: before.turns + messages.filter(({ role }) => role === "assistant").length,
    cost: addCost(before.cost, cost),
    ...(workspace !== undefined && { workspace }),
    ...(created !== undefined && { created }),
    isUnfinished: history.open !== undefined || history.own.queue.some(isWaiting),
    ...(damaged > 0 && { damagedLines: damaged }),
  };
  return { figures, lastPrompt: Math.max(lastBefore, lastPrompt), messages };
}

const isWaiting = ({ isWithdrawn, prompt }: QueueEntry): boolean => !isWithdrawn && prompt === undefined;

/** Whether the figures of the lines can be added to existing figures. Pure. */
export function isAddition(lines: readonly JournalLine[], { lastPrompt }: FiguresUpTo): boolean {
  const isNew = lines.every((line) => (line.prompt === 0 ? segmentHead(line) === undefined : line.prompt > lastPrompt));
  return isNew && readHistory(lines).own.highest.head === 0;
}

/** Characters, without an ellipsis. */
const TITLE_CHARACTERS = 79;

function titleOf(messages: readonly Message[]): string {
  const first = messages.find((message) => message.role === "user");
  // A prompt may be huge, and only its beginning is needed.
  return titleLine(first === undefined ? "" : typedWords(typedText(first).slice(0, 20 * TITLE_CHARACTERS)));
}

/** A text as a title: one line of at most 80 characters. */
export const titleLine = (text: string): string => shortened(text.replace(/\s+/g, " ").trim(), TITLE_CHARACTERS);
