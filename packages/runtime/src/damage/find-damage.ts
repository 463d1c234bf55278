import { basename } from "node:path";
import { isRecord } from "@mdx-ai/base";
import type { PromptHistory } from "../history/prompt-history.ts";
import { readHistory } from "../history/read-history.ts";
import { isSummaryLine } from "../history/segment-head.ts";
import { type JournalLine, resultLine } from "../journal/journal-line.ts";
import type { ParsedJournal, SeenJournal } from "../journal/read-journal.ts";
import type { PromptEnd } from "../loop/plan.ts";
import { type CallStep, STEPS } from "../loop/steps.ts";
import { errorOutcome, resultMessage } from "../loop/unrun-call.ts";

/** The damage of a journal. */
export interface JournalDamage {
  /** The numbers of the lines that cannot be read, or only in part, from 1. */
  readonly unreadable: readonly number[];
  /** How many lines are lost that a transcript needs, such as results of tool calls. */
  readonly missing: number;
  /** Whether the last line is unfinished. */
  readonly isTorn: boolean;
}

/** A journal, checked. */
export interface CheckedJournal {
  /** The content of the fixed journal: the readable lines, and substitutes for those that are missing. */
  readonly lines: readonly JournalLine[];
  /** Absent if nothing is wrong. */
  readonly damage?: JournalDamage;
}

/** Finds the damage of a journal. Opening a session fixes exactly this, and `verify` reports it. Pure. */
export function findDamage({ lines, gaps, unreadable, isTorn }: Omit<SeenJournal, "end">): CheckedJournal {
  const fixed = fixedLines({ lines, gaps });
  const damage = { unreadable, missing: fixed.added, isTorn };
  return isTorn || needsRewrite(damage) ? { lines: fixed.lines, damage } : { lines: fixed.lines };
}

/** Whether a journal must be rewritten; otherwise cutting off its last line fixes it. */
export const needsRewrite = ({ unreadable, missing }: JournalDamage): boolean => unreadable.length > 0 || missing > 0;

/** Describes damage for people, one text for each kind, such as "lines 3 and 7 of journal.jsonl cannot be read". */
export function damageTexts(path: string, { unreadable, missing, isTorn }: JournalDamage): readonly string[] {
  const name = basename(path);
  return [
    ...(unreadable.length > 0 ? [`${lineNumbers(unreadable)} of ${name} cannot be read`] : []),
    ...(isTorn ? [`the last line of ${name} is unfinished`] : []),
    ...(missing > 0
      ? [`${name} lacks ${missing === 1 ? "a line" : `${missing} lines`}, such as results of tools`]
      : []),
  ];
}

/** How many line numbers are listed. */
const LISTED = 10;

/** "line 3", "lines 3 and 7", "lines 1, 2, … and 5 more". */
function lineNumbers(numbers: readonly number[]): string {
  if (numbers.length === 1) return `line ${numbers[0]}`;
  if (numbers.length > LISTED) {
    return `lines ${numbers.slice(0, LISTED).join(", ")} and ${numbers.length - LISTED} more`;
  }
  return `lines ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}

/** A tool call without a result in a prompt that has ended: no provider accepts that. */
interface DanglingCall extends CallStep {
  readonly prompt: number;
  /** The time of the answer that makes the call, in milliseconds since 1970. */
  readonly calledAt: number;
}

/** Finds them, in the order of the prompts. Pure. */
export const danglingCalls = (lines: readonly JournalLine[]): readonly DanglingCall[] =>
  readHistory(lines).prompts.flatMap(danglingOf);

const danglingOf = ({ number: prompt, hasEnded, turns }: PromptHistory): readonly DanglingCall[] =>
  turns.flatMap(({ answer, calls }) => {
    if (!hasEnded || answer === undefined) return [];
    const dangling = calls.filter(({ result }) => result === undefined);
    return dangling.map(({ call, step }) => ({ prompt, call, step, calledAt: answer.message.timestamp }));
  });

/** The lines of a journal that give a transcript which every provider accepts. */
interface FixedLines {
  readonly lines: readonly JournalLine[];
  /** How many of them replace lost ones. */
  readonly added: number;
}

/**
 * Adds the required lines that a damaged journal has lost: results of tool calls, and ends of prompts that lost something. Such
 * a prompt is not resumed: it is uncertain what it did, and nothing may be done twice. Summaries after the first lost line are
 * dropped, since they count the messages before them. Lines that lack nothing stay as they are. Pure.
 */
export function fixedLines({ lines, gaps }: Pick<ParsedJournal, "lines" | "gaps">): FixedLines {
  const firstGap = gaps[0];
  const left = firstGap === undefined ? lines : withoutSummaries(lines, firstGap);
  const closed = firstGap === undefined ? left : withEnds({ lines: left, gaps });
  const fixed = withResults(closed, danglingCalls(closed));
  return { lines: fixed, added: fixed.length - left.length };
}

/** Adds a result for each of the calls, before the end of its prompt. */
function withResults(lines: readonly JournalLine[], calls: readonly DanglingCall[]): readonly JournalLine[] {
  if (calls.length === 0) return lines;
  const ends = new Map<number, number>();
  for (const [index, { prompt, step }] of lines.entries()) if (step === STEPS.end.name()) ends.set(prompt, index);
  const insertions = calls.map((call) => ({
    index: ends.get(call.prompt) ?? lines.length,
    lines: [answerLine(call, LOST, call.calledAt)],
  }));
  return insert(lines, insertions);
}

/** Turns summaries into failed ones, so that their cost still counts and no line changes its index. */
const withoutSummaries = (lines: readonly JournalLine[], from: number): readonly JournalLine[] =>
  lines.map((line, index) => {
    if (index < from || !("result" in line) || !isSummaryLine(line) || !isRecord(line.result)) return line;
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

function withEnds({ lines, gaps }: Pick<ParsedJournal, "lines" | "gaps">): readonly JournalLine[] {
  const [firstGap = 0, lastGap = 0] = [gaps[0], gaps.at(-1)];
  const indexes = new Map(lines.map((line, index) => [line, index]));
  const indexOf = (line: JournalLine | undefined): number => (line && indexes.get(line)) ?? 0;
  const insertions = readHistory(lines).prompts.flatMap((prompt): Insertion[] => {
    const start = indexOf(prompt.lines[0]);
    const lacksBeginning = start >= firstGap && !prompt.hasBegun;
    if (prompt.hasEnded || !(lacksBeginning || lastGap > start)) return [];
    return [{ index: indexOf(prompt.lines.at(-1)) + 1, lines: [abortedEnd(prompt.number, lastTime(prompt))] }];
  });
  return insert(lines, insertions);
}

/** The newest timestamp of a prompt's messages, in milliseconds since 1970; 0 if there is none. */
function lastTime({ lines, begin }: PromptHistory): number {
  const times = lines.flatMap((line) => {
    if (!("result" in line) || !isRecord(line.result)) return [];
    const { timestamp } = line.result;
    return typeof timestamp === "number" ? timestamp : [];
  });
  return times.at(-1) ?? begin?.message.timestamp ?? 0;
}

const LOST = "lost: the journal was damaged here; outcome unknown";

/** The end of a prompt that cannot be continued. `at` is milliseconds since 1970. */
export const abortedEnd = (prompt: number, at: number): JournalLine =>
  resultLine(prompt, STEPS.end.name(), { outcome: "aborted", at } satisfies PromptEnd);

/** The answer to a call that has no result, as an error. Time is in milliseconds since 1970. */
export const answerLine = ({ prompt, step, call }: DanglingCall, text: string, timestamp: number): JournalLine =>
  resultLine(prompt, step, resultMessage(call, errorOutcome(text), timestamp));
