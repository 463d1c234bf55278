import { isList, isRecord } from "@mdx-ai/base";
import { type Compaction, type Cost, isCompaction, isCost, noCost, readStep, STEPS } from "@mdx-ai/loop";
import { isAssistantMessage, isToolResultMessage, isUserMessage, type Message } from "@mdx-ai/models";
import { isJournalLine, type JournalLine, resultLine } from "../journal/journal.ts";

/** A summary of the older journals of a session, so that they need not be read to continue it. */
export interface SegmentHead {
  /** Of the prompts. */
  readonly lastPrompt: number;
  /** The prompt with which the transcript ends. */
  readonly head: number;
  /** Messages of the transcript. */
  readonly messages: number;
  /** The last of these, if they are few enough to be repeated. */
  readonly tail: readonly Message[];
  readonly compaction?: Compaction;
  readonly cost: Cost;
  /** Steps of the session that still matter. */
  readonly own: readonly JournalLine[];
  /** Bytes of `history.json` that show these messages, up to the end of the last entry. */
  readonly history: number;
  /** The ids of the newest prompts. */
  readonly promptIds: readonly string[];
  /** The folder in `archive/` to which the older journals went, if the session was cleared. */
  readonly archive?: string;
  /** Where the session's tools worked last, if the session was cleared and that was not the agent directory. */
  readonly workspace?: string;
  /** The last note about the user's mode among these messages. */
  readonly modeNote?: string;
}

/** The head before the first journal. */
export const NOTHING_BEFORE: SegmentHead = {
  lastPrompt: 0,
  head: 0,
  messages: 0,
  tail: [],
  cost: noCost,
  own: [],
  history: 0,
  promptIds: [],
};

/** How many ids of prompts a new journal carries over: a submission with one of them is recognised. */
const KEPT_IDS = 1000;

/** The ids that a new journal carries over, of all that are known, the oldest first. */
export const newestIds = (promptIds: ReadonlySet<string>): readonly string[] => [...promptIds].slice(-KEPT_IDS);

/** The head that a journal begins with; undefined if it is the first of its session. */
export function segmentHead(line: JournalLine | undefined): SegmentHead | undefined {
  if (line === undefined || line.prompt !== 0 || line.step !== STEPS.segment.name() || !("result" in line))
    return undefined;
  return isSegmentHead(line.result) ? line.result : undefined;
}

/** Whether a value that came out of JSON is the head of a segment. */
const isSegmentHead = (value: unknown): value is SegmentHead =>
  isRecord(value) &&
  ["lastPrompt", "head", "messages", "history"].every((name) => Number.isSafeInteger(value[name])) &&
  isList(value["tail"], isMessage) &&
  isList(value["own"], isJournalLine) &&
  (value["archive"] === undefined || isName(value["archive"])) &&
  ["workspace", "modeNote"].every((name) => value[name] === undefined || typeof value[name] === "string") &&
  isList(value["promptIds"], (id) => typeof id === "string") &&
  (value["compaction"] === undefined || isCompaction(value["compaction"])) &&
  isCost(value["cost"]);

/** Whether it names something in a folder, and nothing elsewhere. */
const isName = (value: unknown): boolean =>
  typeof value === "string" && /^[\w.-]+$/.test(value) && !value.startsWith(".");

const isMessage = (value: unknown): boolean =>
  isUserMessage(value) || isAssistantMessage(value) || isToolResultMessage(value);

/** Whether a line holds a summary of older messages, or an attempt at one. */
function isSummaryLine({ prompt, step }: JournalLine): boolean {
  const { kind } = readStep(step);
  return kind === "compaction" || (kind === "sessionCompaction" && prompt === 0);
}

/** Of the lines of a session's own steps those that put these inputs into the queue. */
export const queueLines = (own: readonly JournalLine[], numbers: ReadonlySet<number>): readonly JournalLine[] =>
  own.filter(({ step }) => {
    const { kind, number } = readStep(step);
    return kind === "queue" && numbers.has(number);
  });

/**
 * Of the lines of a session's own steps those that still matter when another file continues the journal. No number of the
 * queue is given twice, also if the input that had the highest is gone.
 */
export function lastingSteps(own: readonly JournalLine[], waiting: ReadonlySet<number>): readonly JournalLine[] {
  const others: JournalLine[] = [];
  const newest = new Map<string, JournalLine>();
  let highest = 0;
  for (const line of own) {
    const { kind, number } = readStep(line.step);
    if (kind === "queue" || kind === "unqueue") highest = Math.max(highest, number);
    else if (kind === "head" || kind === "undo" || kind === "agent") newest.set(kind, line);
    else if (!isSummaryLine(line)) others.push(line);
  }
  const lines = [...others, ...newest.values(), ...queueLines(own, waiting)];
  if (highest === 0 || waiting.has(highest)) return lines;
  return [...lines, resultLine(0, STEPS.unqueue.name(highest), {})];
}
