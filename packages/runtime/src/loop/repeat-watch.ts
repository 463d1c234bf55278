import type { ToolCall, ToolResultMessage } from "@mdx-ai/models";
import type { ToolOutcome } from "../types/tool-registry.ts";

/** So many identical results in a row, and the model is told. */
const TOLD_AT = 3;

const NOTE = {
  type: "text",
  text: "note: this very call has given this very result three times in a row; do something else, or end",
} as const;

/** A call, what it gave, and how often in a row. */
interface Streak {
  readonly call: ToolCall;
  readonly outcome: Pick<ToolOutcome, "content" | "isError">;
  readonly count: number;
  /** Whether the model was told of it. */
  readonly isTold: boolean;
}

/** Notices when a model makes the same call over and over and gets the same result. */
export class RepeatWatch {
  #last: Streak | undefined;
  #longest = 0;

  /** The most identical calls with identical results in a row. */
  get longest(): number {
    return this.#longest;
  }

  /** Takes the calls of an answer and their results, in the order of the calls. */
  add(call: ToolCall, result: ToolResultMessage): void {
    const outcome = withoutNote(result);
    const before = this.#streakOf(call, outcome);
    const isTold = result.content.length > outcome.content.length;
    this.#last = { call, outcome, count: (before?.count ?? 0) + 1, isTold: isTold || before?.isTold === true };
    this.#longest = Math.max(this.#longest, this.#last.count);
  }

  /**
   * The outcome of a call, with a note to the model if it is one too many. Counts the calls of earlier answers, whose
   * results are known when it runs.
   */
  noted(call: ToolCall, outcome: ToolOutcome): ToolOutcome {
    const before = this.#streakOf(call, outcome);
    if (before === undefined || before.isTold || before.count + 1 < TOLD_AT) return outcome;
    return { ...outcome, content: [...outcome.content, NOTE] };
  }

  #streakOf(call: ToolCall, { content, isError }: Streak["outcome"]): Streak | undefined {
    const last = this.#last;
    const isSame = last && isSameCall(last.call, call) && last.outcome.isError === isError;
    return isSame && isEqual(last.outcome.content, content) ? last : undefined;
  }
}

/** Whether two calls are the same for a model that makes one over and over, to the order of the keys. */
export const isSameCall = (one: ToolCall, other: ToolCall): boolean =>
  one.name === other.name && isEqual(one.arguments, other.arguments);

/** A result as the tool gave it. */
export const withoutNote = ({ content, isError }: ToolResultMessage): Pick<ToolOutcome, "content" | "isError"> => ({
  content: content.filter((block) => block.type !== "text" || block.text !== NOTE.text),
  isError,
});

/** Whether two values are the same JSON, to the order of their keys. */
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
