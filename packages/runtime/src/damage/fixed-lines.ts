import type { ToolResultMessage, UserMessage } from "@mdx-ai/models";
import { JOURNAL_VERSION, type JournalLine } from "../journal/journal-line.ts";
import type { ParsedJournal } from "../journal/parse-journal.ts";
import { isRecord } from "../record.ts";
import { END_STEP, inputStep, isCompactionStep, isInputStep } from "../step-names.ts";
import { type DanglingCall, danglingCalls } from "./dangling-calls.ts";

/** The lines of a journal that give a transcript which every provider accepts. */
export interface FixedLines {
  readonly lines: readonly JournalLine[];
  /** How many of them replace lost ones. */
  readonly added: number;
}

/**
 * Adds what a damaged journal has lost and cannot do without: inputs of prompts, results of tool calls, and ends of prompts
 * that lost something. Such a prompt is not resumed: nobody knows for certain what it did, and nothing may be done twice.
 * Summaries after the first lost line are dropped, since they count the messages before them. Lines that lack nothing stay
 * as they are. Pure.
 */
export function fixedLines({ lines, gaps }: Pick<ParsedJournal, "lines" | "gaps">): FixedLines {
  const firstGap = gaps[0];
  const left = firstGap === undefined ? lines : withoutSummaries(lines, firstGap);
  const closed = firstGap === undefined ? left : withInputsAndEnds({ lines: left, gaps });
  const unanswered = Map.groupBy(danglingCalls(closed), ({ prompt }) => prompt);
  const fixed = insert(
    closed,
    [...unanswered].map(([prompt, calls]) => ({ index: endIndex(closed, prompt), lines: calls.map(lostResult) })),
  );
  return { lines: fixed, added: fixed.length - left.length };
}

/** Turns summaries into failed ones, so that their cost still counts and no line changes its index. */
const withoutSummaries = (lines: readonly JournalLine[], from: number): readonly JournalLine[] =>
  lines.map((line, index) => {
    if (index < from || !("result" in line) || !isCompactionStep(line.step) || !isRecord(line.result)) return line;
    const { answer } = line.result;
    return { ...line, result: { reason: "the journal was damaged before", ...(answer !== undefined && { answer }) } };
  });

/** Lines to insert before the one at an index. */
interface Insertion {
  readonly index: number;
  readonly lines: readonly JournalLine[];
}

function insert(lines: readonly JournalLine[], insertions: readonly Insertion[]): readonly JournalLine[] {
  if (insertions.length === 0) return lines;
  const byIndex = Map.groupBy(insertions, ({ index }) => index);
  const before = (index: number): readonly JournalLine[] => (byIndex.get(index) ?? []).flatMap((each) => each.lines);
  return [...lines.flatMap((line, index) => [...before(index), line]), ...before(lines.length)];
}

function withInputsAndEnds({ lines, gaps }: Pick<ParsedJournal, "lines" | "gaps">): readonly JournalLine[] {
  const [firstGap = 0, lastGap = 0] = [gaps[0], gaps.at(-1)];
  const prompts = Map.groupBy(lines.keys(), (index) => lines[index]?.prompt ?? 0);
  const insertions = [...prompts].flatMap(([prompt, [start = 0, ...rest]]): Insertion[] => {
    if (prompt === 0) return [];
    const own = [start, ...rest].flatMap((index) => lines[index] ?? []);
    const isWithoutInput = start >= firstGap && !own.some(({ step }) => isInputStep(step));
    const isWithoutEnd = !own.some(({ step }) => step === END_STEP);
    const isDamaged = isWithoutInput || lastGap > start;
    const at = lastTime(own);
    const input = isWithoutInput ? [{ index: start, lines: [lostInput(prompt, at)] }] : [];
    const end = isWithoutEnd && isDamaged ? [{ index: (rest.at(-1) ?? start) + 1, lines: [lostEnd(prompt, at)] }] : [];
    return [...input, ...end];
  });
  return insert(lines, insertions);
}

/** The index of a prompt's end, or the one after its last line. */
function endIndex(lines: readonly JournalLine[], prompt: number): number {
  const end = lines.findIndex((line) => line.prompt === prompt && line.step === END_STEP);
  return end >= 0 ? end : lines.findLastIndex((line) => line.prompt === prompt) + 1;
}

/** The newest timestamp in lines of a prompt, in milliseconds since 1970; 0 if there is none. */
function lastTime(lines: readonly JournalLine[]): number {
  const times = lines.flatMap((line) => {
    if (!("result" in line) || !isRecord(line.result)) return [];
    const { timestamp } = line.result;
    return typeof timestamp === "number" ? timestamp : [];
  });
  return times.at(-1) ?? 0;
}

const resultLine = (prompt: number, step: string, result: unknown): JournalLine => ({
  v: JOURNAL_VERSION,
  prompt,
  step,
  result,
});

const lostEnd = (prompt: number, at: number): JournalLine => resultLine(prompt, END_STEP, { outcome: "aborted", at });

const lostInput = (prompt: number, timestamp: number): JournalLine =>
  resultLine(prompt, inputStep(), {
    role: "user",
    content: [{ type: "text", text: "[lost: the journal was damaged here]" }],
    timestamp,
  } satisfies UserMessage);

const lostResult = ({ prompt, step, call, calledAt }: DanglingCall): JournalLine =>
  resultLine(prompt, step, {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: "lost: the journal was damaged here; outcome unknown" }],
    isError: true,
    timestamp: calledAt,
  } satisfies ToolResultMessage);
