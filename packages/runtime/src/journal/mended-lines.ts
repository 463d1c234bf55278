import type { ToolResultMessage, UserMessage } from "@mdx-ai/models";
import { isRecord } from "../record.ts";
import { END_STEP, inputStep, isCompactionStep, isInputStep } from "../step-names.ts";
import { type DanglingCall, danglingCalls } from "./dangling-calls.ts";
import { JOURNAL_VERSION, type JournalLine } from "./journal-line.ts";
import type { ParsedJournal } from "./parse-journal.ts";

/** A journal from which a transcript can be read that every provider accepts. */
export interface MendedJournal {
  readonly lines: readonly JournalLine[];
  /** How many lines stand in for what was lost. */
  readonly added: number;
}

/**
 * Puts lines in for what a damaged journal has lost and cannot do without: the inputs of prompts, the results of tool calls,
 * and the ends of prompts of which something is lost. Such a one is not gone on with: what it did is not known for certain,
 * and nothing may be done twice. Summaries that came after what is lost go, since they count the messages before them. A
 * journal that lacks nothing stays as it is. Pure.
 */
export function mendedLines({ lines, gaps }: Pick<ParsedJournal, "lines" | "gaps">): MendedJournal {
  const firstGap = gaps[0];
  const left = firstGap === undefined ? lines : withoutSummaries(lines, firstGap);
  const closed = firstGap === undefined ? left : withInputsAndEnds({ lines: left, gaps });
  const lost = Map.groupBy(danglingCalls(closed), ({ prompt }) => prompt);
  const mended = insert(
    closed,
    [...lost].map(([prompt, calls]) => ({ place: endPlace(closed, prompt), lines: calls.map(lostResult) })),
  );
  return { lines: mended, added: mended.length - left.length };
}

/** As if they had failed, so that what they cost still counts; the places of all lines stay as they are. */
const withoutSummaries = (lines: readonly JournalLine[], from: number): readonly JournalLine[] =>
  lines.map((line, place) => {
    if (place < from || !("result" in line) || !isCompactionStep(line.step) || !isRecord(line.result)) return line;
    const { answer } = line.result;
    return { ...line, result: { reason: "the journal was damaged before", ...(answer !== undefined && { answer }) } };
  });

/** Lines that go before the one at a place, or after all. */
interface Insertion {
  readonly place: number;
  readonly lines: readonly JournalLine[];
}

function insert(lines: readonly JournalLine[], insertions: readonly Insertion[]): readonly JournalLine[] {
  if (insertions.length === 0) return lines;
  const byPlace = Map.groupBy(insertions, ({ place }) => place);
  const before = (place: number): readonly JournalLine[] => (byPlace.get(place) ?? []).flatMap((each) => each.lines);
  return [...lines.flatMap((line, place) => [...before(place), line]), ...before(lines.length)];
}

function withInputsAndEnds({ lines, gaps }: Pick<ParsedJournal, "lines" | "gaps">): readonly JournalLine[] {
  const firstGap = Math.min(...gaps);
  const lastGap = Math.max(...gaps);
  const prompts = new Set(lines.flatMap(({ prompt }) => (prompt > 0 ? prompt : [])));
  const insertions = [...prompts].flatMap((prompt): Insertion[] => {
    const own = (line: JournalLine): boolean => line.prompt === prompt;
    const start = lines.findIndex(own);
    const isWithoutInput = start >= firstGap && !lines.some((line) => own(line) && isInputStep(line.step));
    const isWithoutEnd = !lines.some((line) => own(line) && line.step === END_STEP);
    const isHurt = isWithoutInput || lastGap > start;
    const at = lastTime(lines, prompt);
    const input = isWithoutInput ? [{ place: start, lines: [lostInput(prompt, at)] }] : [];
    const end = isWithoutEnd && isHurt ? [{ place: endPlace(lines, prompt), lines: [lostEnd(prompt, at)] }] : [];
    return [...input, ...end];
  });
  return insert(lines, insertions);
}

/** The place of a prompt's end, or after all that is left of it. */
function endPlace(lines: readonly JournalLine[], prompt: number): number {
  const end = lines.findIndex((line) => line.prompt === prompt && line.step === END_STEP);
  return end >= 0 ? end : lines.findLastIndex((line) => line.prompt === prompt) + 1;
}

/** The newest time that a prompt tells, in milliseconds since 1970; 0 where it tells none. */
function lastTime(lines: readonly JournalLine[], prompt: number): number {
  const times = lines.flatMap((line) => {
    if (line.prompt !== prompt || !("result" in line) || !isRecord(line.result)) return [];
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
