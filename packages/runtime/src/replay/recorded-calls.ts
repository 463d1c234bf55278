import {
  type AssistantMessage,
  isAssistantMessage,
  isToolResultMessage,
  type ToolCall,
  type ToolResultMessage,
} from "@mdx-ai/models";
import type { JournalLine } from "../journal/journal-line.ts";
import { isSameCall } from "../loop/repeat-watch.ts";
import { isOneTooMany, unrunAnswer } from "../loop/unrun-call.ts";
import { type CallStep, callSteps, isModelStep, turnOf } from "../step-names.ts";

/** A tool call of a recorded prompt, and its place among those that were run beside it. */
export interface RecordedCall {
  readonly step: string;
  readonly call: ToolCall;
  /** Absent where it was not answered. */
  readonly result: ToolResultMessage | undefined;
  /** Whether it was answered without being run, so that the next one had to wait for that. */
  readonly isRefused: boolean;
  /** The step that was answered before it. */
  readonly after: string | undefined;
  /** The last step that had begun by then, and all before it. */
  readonly begun: string | undefined;
}

/** Why a call would not be run; undefined where it would, or nobody knows. */
type Refusal = (call: ToolCall) => string | undefined;

/** Where the lines of a call stand in the journal; without end where there is none. */
interface Placed extends CallStep {
  readonly began: number;
  readonly ended: number;
  readonly result: ToolResultMessage | undefined;
}

/**
 * The calls of a prompt by their steps. Calls of one answer are run side by side and end in any order, but for those that
 * are refused: `refusal` helps where the journal does not tell these apart.
 */
export function recordedCalls(lines: readonly JournalLine[], refusal: Refusal): ReadonlyMap<string, RecordedCall> {
  const began = placesOf(lines, (line) => "started" in line);
  const ended = placesOf(lines, (line) => "result" in line);
  const calls = runAnswers(lines).flatMap(({ turn, message }) => {
    const placed = callSteps(message, turn).map(({ call, step }): Placed => {
      const line = lines[ended.get(step) ?? -1];
      const result = line && "result" in line && isToolResultMessage(line.result) ? line.result : undefined;
      return { call, step, began: began.get(step) ?? NEVER, ended: ended.get(step) ?? NEVER, result };
    });
    return unrunAnswer(message) === undefined ? sideBySide(placed, refusal) : placed.map(refused);
  });
  return new Map(calls.map((call) => [call.step, call]));
}

const NEVER = Number.POSITIVE_INFINITY;

/** The places of the lines of steps; of several lines of one step the last counts, as in a session. */
const placesOf = (
  lines: readonly JournalLine[],
  isWanted: (line: JournalLine) => boolean,
): ReadonlyMap<string, number> =>
  new Map(lines.flatMap((line, place) => (isWanted(line) ? [[line.step, place] as const] : [])));

/** The answers whose calls are run: of the attempts of a turn the last, where it did not break off. */
function runAnswers(
  lines: readonly JournalLine[],
): readonly { readonly turn: string; readonly message: AssistantMessage }[] {
  const answers = new Map<string, AssistantMessage>();
  for (const line of lines) {
    if (!("result" in line) || !isModelStep(line.step) || !isAssistantMessage(line.result)) continue;
    answers.set(turnOf(line.step), line.result);
  }
  return [...answers]
    .map(([turn, message]) => ({ turn, message }))
    .filter(({ message: { stopReason } }) => stopReason !== "error" && stopReason !== "aborted");
}

/** All are refused, one after the other. */
const refused = ({ call, step, result }: Placed): RecordedCall => ({
  call,
  step,
  result,
  isRefused: true,
  after: undefined,
  begun: undefined,
});

function sideBySide(placed: readonly Placed[], refusal: Refusal): readonly RecordedCall[] {
  const inOrder = placed.toSorted((one, other) => compare(one.ended, other.ended));
  const before = new Map(inOrder.map(({ step }, place) => [step, inOrder[place - 1]?.step]));
  const holds = placed.map((_, number) => holdOf(placed, number, refusal));
  const starts = startsOf(placed, holds);
  return placed.map(({ call, step, result, ended }, number) => ({
    call,
    step,
    result,
    isRefused: holds[number] !== undefined,
    after: before.get(step),
    begun: placed[starts.findLastIndex((start) => start < ended)]?.step,
  }));
}

/** When calls began. Of a tool that only looks nobody wrote that down: as soon as nothing held it up. */
function startsOf(placed: readonly Placed[], holds: readonly (number | undefined)[]): readonly number[] {
  let held = 0;
  return placed.map(({ began }, number) => {
    const start = began === NEVER ? held : began;
    held = Math.max(held, holds[number] ?? 0);
    return start;
  });
}

const compare = (one: number, other: number): number => (one === other ? 0 : one - other);

/**
 * The place up to which a call held up those behind it, since it was refused; undefined where it was not. All that came
 * behind it began later. Where calls are the same, a refusal waits for those before it.
 */
function holdOf(placed: readonly Placed[], number: number, refusal: Refusal): number | undefined {
  const own = placed[number];
  const next = placed[number + 1];
  if (own?.result === undefined || next === undefined) return undefined;
  const { call, result } = own;
  const hold = endOfSame(placed, number);
  const isFirst = placed.slice(number + 1).every(({ began, ended }) => hold < began && hold < ended);
  if (!isFirst || hold === NEVER) return undefined;
  return next.began !== NEVER || isOneTooMany(result) || refusal(call) !== undefined ? hold : undefined;
}

/** When a call, and the same ones right before it, had ended. */
function endOfSame(placed: readonly Placed[], number: number): number {
  const own = placed[number];
  const first = placed.slice(0, number).findLastIndex(({ call }) => !own || !isSameCall(call, own.call));
  return Math.max(...placed.slice(first + 1, number + 1).map(({ ended }) => ended));
}
