import { defined } from "@mdx-ai/base";
import {
  type AgentParts,
  addCost,
  type Compaction,
  type Conversation,
  type Cost,
  errorOutcome,
  fits,
  isCompaction,
  noCost,
  resultMessage,
  STEPS,
  userMessage,
} from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import { type CallHistory, lacksResult, type PromptHistory } from "../history/prompt-history.ts";
import { readHistory } from "../history/read-history.ts";
import { NOTHING_BEFORE, type SegmentHead } from "../history/segment-head.ts";
import type { OwnHistory, QueuedInput, SessionHistory, SessionPrompt } from "../history/session-history.ts";
import { type JournalLine, resultLine } from "../journal/journal.ts";
import { hasModeNote } from "./session.ts";

/** The state of a session before its next prompt. */
export interface Transcript {
  /** The messages of the prompts that have ended, in the order in which a provider accepts them, and their newest summary. */
  readonly conversation: Conversation;
  /** The preceding history: the messages begin with it. */
  readonly before: SegmentHead;
  /** Whether the transcript goes back to a prompt of an older journal, which must then be read. */
  readonly isCutOff: boolean;
  /** The usage and cost of all answers, including failed ones and summaries, without an interrupted prompt. */
  readonly cost: Cost;
  /** The number of the last prompt; 0 if there is none. */
  readonly lastPrompt: number;
  /** How many prompts began since the session was last cleared. */
  readonly prompts: number;
  /** The last prompt of the transcript; 0 if it is empty. */
  readonly head: number;
  /** The lines of the last prompt, if it was interrupted. */
  readonly interrupted: readonly JournalLine[] | undefined;
  /** The queued inputs. */
  readonly queued: readonly QueuedInput[];
  /** The ids of the prompts, including queued ones. */
  readonly promptIds: Set<string>;
  /** The lines of the session steps. */
  readonly own: readonly JournalLine[];
  /** The signature of the user whose programs write the session. */
  readonly owner: string | undefined;
  /** The highest numbers used for its steps, by kind. */
  readonly highest: OwnHistory["highest"];
  /** The agent's parts, from the last step that has them. */
  readonly agentParts: AgentParts | undefined;
  /** The last note about the user's mode among its messages; undefined if there is none. */
  readonly modeNote: string | undefined;
}

/** The state of an empty session. */
export const newTranscript = (): Transcript => ({
  conversation: { first: 0, messages: [], compaction: undefined },
  before: NOTHING_BEFORE,
  isCutOff: false,
  cost: noCost,
  lastPrompt: 0,
  prompts: 0,
  head: 0,
  interrupted: undefined,
  queued: [],
  promptIds: new Set(),
  own: [],
  owner: undefined,
  highest: { queue: 0, head: 0, undo: 0, agent: 0 },
  agentParts: undefined,
  modeNote: undefined,
});

/** Reads the lines of a session's journals, of all or from any of them on, in the order in which they were written. */
export const readTranscript = (lines: readonly JournalLine[]): Transcript => {
  const history = readHistory(lines);
  return transcriptOf(history, history.open);
};

/** The transcript of a session; without `open`, also the messages and the cost of a prompt without an end count. */
export function transcriptOf(history: SessionHistory, open?: SessionPrompt): Transcript {
  const { before: base, isCutOff, lastPrompt, own } = history;
  const ended = history.path.filter((prompt) => prompt !== open);
  const before = ended[0]?.number === base.head && !isCutOff ? base : NOTHING_BEFORE;
  const messages = [...before.tail, ...ended.flatMap(promptMessages)];
  const first = before.messages - before.tail.length;
  // A summary counts the messages before it, which are fewer where lines are lost.
  const damaged = ended.findIndex(({ isDamaged }) => isDamaged);
  const compactions = (damaged === -1 ? ended : ended.slice(0, damaged)).flatMap(compactionsOf);
  const compaction = newestCompaction(compactions, first + messages.length) ?? before.compaction;
  const counted = history.prompts.filter((prompt) => prompt !== open);
  return {
    conversation: { first, messages, compaction },
    before,
    isCutOff,
    cost: [own, ...counted].reduce((sum, { cost }) => addCost(sum, cost), base.cost),
    lastPrompt,
    prompts: lastPrompt - (base.archive === undefined ? 0 : base.lastPrompt),
    head: ended.at(-1)?.number ?? 0,
    interrupted: open?.lines,
    queued: own.queue
      .filter(({ isWithdrawn, prompt }) => !isWithdrawn && prompt === undefined)
      .map(({ number, text, images, typed, cost, id }) => ({ number, text, ...defined({ images, typed, cost }), id })),
    promptIds: new Set(history.promptIds),
    own: own.lines,
    owner: own.owner?.mark,
    highest: own.highest,
    agentParts: own.agents.at(-1)?.parts,
    modeNote: ended.map(modeNoteOf).findLast((note) => note !== undefined) ?? before.modeNote,
  };
}

/** The note about the mode that a prompt sent: one that reaches a limit before its first request sends nothing. */
function modeNoteOf({ begin, added }: PromptHistory): string | undefined {
  const note = begin?.plan.modeNote;
  return note !== undefined && added !== undefined && hasModeNote(note, [added]) ? note : undefined;
}

/** The summaries that were made in a prompt, and before the next one, in their order. */
export const compactionsOf = ({ turns, summaries }: SessionPrompt): readonly Compaction[] => [
  ...turns.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.type === "summary" && isCompaction(step.outcome) ? [step.outcome] : [])),
  ),
  ...summaries.filter(isCompaction),
];

/** The newest summary that fits this many messages; one that does not fit would hide messages that it does not summarise. */
export const newestCompaction = (compactions: readonly Compaction[], messages: number): Compaction | undefined =>
  compactions.findLast((compaction) => fits(compaction, messages));

/**
 * The messages of one prompt. Results are journaled as tools end, and the user's input as it arrives; a provider
 * needs the results in the order of the calls, and the model received the input with its next request.
 */
export const promptMessages = (prompt: PromptHistory): Message[] =>
  prompt.isDenied
    ? []
    : [
        ...(prompt.begin ? [prompt.begin.message] : lostInput(prompt)),
        ...(prompt.added ? [prompt.added] : []),
        ...prompt.turns.flatMap(({ delivered, answer, calls, added }) => [
          ...delivered,
          ...(answer ? [answer.message] : []),
          ...calls.flatMap((call) => call.result ?? lostResult(prompt, call, answer?.message.timestamp ?? 0)),
          ...added,
        ]),
      ];

/** A substitute for a lost input: no provider accepts answers without an input. */
function lostInput({ hasEnded, isDamaged, turns }: PromptHistory): readonly Message[] {
  const time = turns[0]?.answer?.message.timestamp ?? 0;
  return hasEnded || isDamaged ? [userMessage({ text: "[lost: the journal was damaged here]" }, time)] : [];
}

/** A substitute for a lost result: no provider accepts a call without a result. */
const lostResult = (prompt: PromptHistory, call: CallHistory, time: number): readonly Message[] =>
  lacksResult(prompt, call) ? [resultMessage(call.call, errorOutcome(LOST), time)] : [];

const LOST = "lost: the journal was damaged here; outcome unknown";

/** A session has no such prompt, or the prompt has not ended. */
export class UnknownPromptError extends Error {
  override readonly name = "UnknownPromptError";

  constructor(id: string, prompt: number, prompts: readonly number[]) {
    const there = prompts.length === 0 ? "none" : `${Math.min(...prompts)} to ${Math.max(...prompts)}`;
    super(`session ${id} has no prompt ${prompt} that has ended; there are: ${there}`);
  }
}

/** Throws `UnknownPromptError` unless a prompt of a session has ended; 0, before the first, always has. */
export function requirePrompt(id: string, prompt: number, lines: readonly JournalLine[]): void {
  const ended = readHistory(lines).prompts.flatMap(({ number, hasEnded }) => (hasEnded ? [number] : []));
  if (prompt !== 0 && !ended.includes(prompt)) throw new UnknownPromptError(id, prompt, ended);
}

/**
 * The line that ends the transcript of these lines with a prompt; 0: with none. Throws `UnknownPromptError`.
 */
export function rewindLine(id: string, lines: readonly JournalLine[], prompt: number, now: number): JournalLine {
  requirePrompt(id, prompt, lines);
  const number = readHistory(lines).own.highest.head + 1;
  return resultLine(0, STEPS.head.name(number), { prompt, at: now });
}
