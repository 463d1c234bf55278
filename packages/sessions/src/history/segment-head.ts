import { isList, isRecord } from "@mdx-ai/base";
import { type Compaction, type Cost, isCompaction, isCost, noCost, readStep, STEPS } from "@mdx-ai/loop";
import { isAssistantMessage, isToolResultMessage, isUserMessage, type Message } from "@mdx-ai/models";
import { isJournalLine, type JournalLine, resultLine } from "../journal/journal.ts";

/** A summary of a session's older journals, so that it can continue without reading them. */
export interface SegmentHead {
  /** The number of the last prompt. */
  readonly lastPrompt: number;
  /** The last prompt of the transcript. */
  readonly head: number;
  /** The number of messages of the transcript. */
  readonly messages: number;
  /** The last messages, if they are few enough to be repeated. */
  readonly tail: readonly Message[];
  readonly compaction?: Compaction;
  /** The cost of the prompts. */
  readonly cost: Cost;
  /** Session steps that still apply. */
  readonly own: readonly JournalLine[];
  /** The bytes of `history.json` for these messages, up to the end of the last entry. */
  readonly history: number;
  /** The ids of the newest prompts. */
  readonly promptIds: readonly string[];
  /** The folder in `archive/` with the older journals, if the session was cleared. */
  readonly archive?: string;
  /** The last workspace, if the session was cleared. */
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

/** How many prompt ids a new journal carries over, so that a repeated submission is recognised. */
const KEPT_IDS = 1000;

/** The prompt ids that a new journal carries over, the oldest first. */
export const newestIds = (promptIds: ReadonlySet<string>): readonly string[] => [...promptIds].slice(-KEPT_IDS);

/** The head that a journal begins with; undefined if it is the first of its session. */
export function segmentHead(line: JournalLine | undefined): SegmentHead | undefined {
  if (line === undefined || line.prompt !== 0 || line.step !== STEPS.segment.name() || !("result" in line))
    return undefined;
  return isSegmentHead(line.result) ? line.result : undefined;
}

/** Whether a parsed JSON value is the head of a segment. */
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

/** Whether it is a plain file name, without a path. */
const isName = (value: unknown): boolean =>
  typeof value === "string" && /^[\w.-]+$/.test(value) && !value.startsWith(".");

const isMessage = (value: unknown): boolean =>
  isUserMessage(value) || isAssistantMessage(value) || isToolResultMessage(value);

/** Whether a line is a summary of older messages, or an attempt at one. */
function isSummaryLine({ prompt, step }: JournalLine): boolean {
  const { kind } = readStep(step);
  return kind === "compaction" || (kind === "sessionCompaction" && prompt === 0);
}

/** The lines of session steps that queued these inputs. */
export const queueLines = (own: readonly JournalLine[], numbers: ReadonlySet<number>): readonly JournalLine[] =>
  own.filter(({ step }) => {
    const { kind, number } = readStep(step);
    return kind === "queue" && numbers.has(number);
  });

/**
 * The lines of session steps that still apply when another file continues the journal. No queue number is
 * reused, even if the input with the highest number is gone.
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
