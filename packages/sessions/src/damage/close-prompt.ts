import { errorOutcome, INTERRUPTED, isPromptEnd, type PromptEnd, resultMessage, STEPS } from "@mdx-ai/loop";
import { readPrompt } from "../history/read-prompt.ts";
import { isReadable } from "../history/read-turn.ts";
import { type JournalLine, resultLine } from "../journal/journal.ts";

/**
 * Why the loop cannot continue a prompt, given its lines, such as "has no beginning that can be read"; undefined if it can. Such a
 * prompt is closed instead of resumed. Pure.
 */
export function promptDamage(lines: readonly JournalLine[]): string | undefined {
  const { begin, turns, isDamaged } = readPrompt(lines);
  if (begin === undefined) return "has no beginning that can be read";
  // No step may run twice, and the line that proves that it ran may be lost.
  if (isDamaged) return "has lines that cannot be read";
  const damaged = lines.find((line) => !isReadable(line));
  if (damaged) return `has a result of step ${damaged.step} that cannot be read`;
  // Asking for the answer again would run its calls again.
  return turns.some(({ lacksAnswer }) => lacksAnswer) ? "has lost an answer whose calls began" : undefined;
}

/**
 * The lines that close an interrupted prompt, given its lines: an answer for each call that has no result, and the end. `now`
 * is milliseconds since 1970. Pure.
 */
export function closingLines(lines: readonly JournalLine[], now: number): readonly JournalLine[] {
  const { number, turns } = readPrompt(lines);
  const open = turns.flatMap(({ calls }) => calls.filter(({ result }) => result === undefined));
  const end: PromptEnd = { outcome: "aborted", at: now };
  return [
    ...open.map(({ call, step }) => resultLine(number, step, resultMessage(call, errorOutcome(INTERRUPTED), now))),
    resultLine(number, STEPS.end.name(), end),
  ];
}

/** The lines of a prompt that a loop can replay: without unreadable lines and without the end of a closed prompt. Pure. */
export function playableLines(lines: readonly JournalLine[]): readonly JournalLine[] {
  const end = lines.at(-1);
  if (end === undefined || end.step !== STEPS.end.name() || !("result" in end)) return lines;
  if (!isPromptEnd(end.result) || end.result.outcome !== "aborted") return lines;
  return isEndOfLoop(lines) ? lines : lines.filter((line) => line !== end && isReadable(line));
}

/** Whether a loop wrote the aborted end: before it, a loop journals an aborted answer. */
function isEndOfLoop(lines: readonly JournalLine[]): boolean {
  const { begin, turns } = readPrompt(lines);
  const isAborted = turns.at(-1)?.answer?.message.stopReason === "aborted";
  return isAborted && begin !== undefined && lines.every(isReadable);
}
