import type { ToolCall, ToolResultMessage } from "@mdx-ai/models";
import type { ToolAnswer, ToolOutcome } from "../types/tool-registry.ts";

/** The number of identical results in a row after which the model receives a hint. */
const NOTED_AT = 3;

const NOTE = {
  type: "text",
  text: "note: this same call has returned the same result three times in a row; do something else, or end",
} as const;

/** A call, its result, and how often it occurred in a row. */
export interface Streak {
  readonly call: ToolCall;
  readonly outcome: ToolAnswer;
  readonly count: number;
  /** Whether the model has received the hint. */
  readonly isNoted: boolean;
}

/** Notices when a model makes the same call over and over and gets the same result. */
export class RepeatWatch {
  #last: Streak | undefined;
  #longest = 0;

  /** The most identical calls with identical results in a row. */
  get longest(): number {
    return this.#longest;
  }

  /** The result of the last call of the earlier answers. */
  get last(): Streak | undefined {
    return this.#last;
  }

  /** Takes the calls of an answer and their results, in the order of the calls. */
  add(call: ToolCall, result: ToolResultMessage): void {
    this.#last = nextStreak(this.#last, call, result);
    this.#longest = Math.max(this.#longest, this.#last.count);
  }
}

/** The streak that a call and its result continue, or begin. */
export function nextStreak(before: Streak | undefined, call: ToolCall, result: ToolAnswer): Streak {
  const outcome = withoutNote(result);
  const continued = isContinued(before, call, outcome) ? before : undefined;
  const isNoted = result.content.length > outcome.content.length;
  return { call, outcome, count: (continued?.count ?? 0) + 1, isNoted: isNoted || continued?.isNoted === true };
}

/** The outcome of a call, with a note to the model if it is one too many after a streak. */
export function noted(before: Streak | undefined, call: ToolCall, outcome: ToolOutcome): ToolOutcome {
  const { count, isNoted } = nextStreak(before, call, outcome);
  return isNoted || count < NOTED_AT ? outcome : { ...outcome, content: [...outcome.content, NOTE] };
}

const isContinued = (before: Streak | undefined, call: ToolCall, { content, isError }: ToolAnswer): boolean =>
  before !== undefined &&
  isSameCall(before.call, call) &&
  before.outcome.isError === isError &&
  isEqual(before.outcome.content, content);

/** Whether two calls are the same for a model that repeats one, including the order of the keys. */
export const isSameCall = (one: ToolCall, other: ToolCall): boolean =>
  one.name === other.name && isEqual(one.arguments, other.arguments);

/** A result as the tool returned it. */
export const withoutNote = ({ content, isError }: ToolAnswer): ToolAnswer => ({
  content: content.filter((block) => block.type !== "text" || block.text !== NOTE.text),
  isError,
});

/** Whether two values are the same JSON, including the order of their keys. */
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
