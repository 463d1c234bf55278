import type { ToolResultMessage, UserMessage } from "@mdx-ai/models";
import { isRecord } from "../record.ts";
import { inputStep, queuedNumber } from "../step-names.ts";
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
 * and the end of the last prompt where something of it is lost. That one is not gone on with: what it did is not known for
 * certain, and nothing may be done twice. A journal that lacks nothing stays as it is. Pure.
 */
export function mendedLines(journal: ParsedJournal): MendedJournal {
  const closed = [...withInputs(journal), ...lostEnd(journal)];
  const lines = withResults(closed);
  return { lines, added: lines.length - journal.lines.length };
}

/** A prompt that begins after something unreadable, and with no input, has lost it. */
function withInputs({ lines, gaps: [firstGap] }: ParsedJournal): readonly JournalLine[] {
  if (firstGap === undefined) return lines;
  const known = new Set(lines.slice(0, firstGap).map(({ prompt }) => prompt));
  const whole = new Set(lines.flatMap(({ prompt, step }) => (isInputStep(step) ? prompt : [])));
  return lines.flatMap((line, place) => {
    const { prompt } = line;
    if (place < firstGap || prompt === 0 || known.has(prompt)) return [line];
    known.add(prompt);
    return whole.has(prompt) ? [line] : [resultLine(prompt, inputStep(), lostInput(lastTime(lines, prompt))), line];
  });
}

/** The end of the last prompt, where it has none and something of it is lost. */
function lostEnd({ lines, gaps }: ParsedJournal): readonly JournalLine[] {
  const prompt = lines.reduce((last, line) => Math.max(last, line.prompt), 0);
  const own = lines.filter((line) => line.prompt === prompt);
  if (prompt === 0 || own.some(({ step }) => step === "end")) return [];
  const start = lines.findIndex((line) => line.prompt === prompt && isInputStep(line.step));
  const isWhole = start >= 0 && gaps.every((gap) => gap <= start);
  return isWhole ? [] : [resultLine(prompt, "end", { outcome: "aborted", at: lastTime(lines, prompt) })];
}

function withResults(lines: readonly JournalLine[]): readonly JournalLine[] {
  const lost = Map.groupBy(danglingCalls(lines), ({ prompt }) => prompt);
  if (lost.size === 0) return lines;
  const places = new Map([...lost].map(([prompt, calls]) => [placeOfResults(lines, prompt), calls]));
  return [...lines, undefined].flatMap((line, place) => [
    ...(places.get(place) ?? []).map(({ prompt, step, ...call }) => resultLine(prompt, step, lostResult(call))),
    ...(line === undefined ? [] : [line]),
  ]);
}

/** Before its end, or after all that is left of it. */
function placeOfResults(lines: readonly JournalLine[], prompt: number): number {
  const end = lines.findIndex((line) => line.prompt === prompt && line.step === "end");
  return end >= 0 ? end : lines.findLastIndex((line) => line.prompt === prompt) + 1;
}

const isInputStep = (step: string): boolean => step === inputStep() || queuedNumber(step) !== undefined;

const resultLine = (prompt: number, step: string, result: unknown): JournalLine => ({
  v: JOURNAL_VERSION,
  prompt,
  step,
  result,
});

const lostInput = (timestamp: number): UserMessage => ({
  role: "user",
  content: [{ type: "text", text: "[lost: the journal was damaged here]" }],
  timestamp,
});

const lostResult = ({ call, calledAt }: Pick<DanglingCall, "call" | "calledAt">): ToolResultMessage => ({
  role: "toolResult",
  toolCallId: call.id,
  toolName: call.name,
  content: [{ type: "text", text: "lost: the journal was damaged here; outcome unknown" }],
  isError: true,
  timestamp: calledAt,
});

/** The newest time that a prompt tells, in milliseconds since 1970; 0 where it tells none. */
function lastTime(lines: readonly JournalLine[], prompt: number): number {
  const times = lines.flatMap((line) => {
    if (line.prompt !== prompt || !("result" in line) || !isRecord(line.result)) return [];
    const { timestamp } = line.result;
    return typeof timestamp === "number" ? timestamp : [];
  });
  return times.at(-1) ?? 0;
}
