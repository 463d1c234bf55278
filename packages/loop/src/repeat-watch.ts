import type { ToolCall, ToolResultMessage } from "@mdx-ai/models";
import type { ToolAnswer } from "./types/tool-registry.ts";

/** The number of identical results in a row after which the model receives a hint. */
const NOTED_AT = 3;

const NOTE = {
  type: "text",
  text: "note: this same call has returned the same result three times in a row; do something else, or end",
} as const;

/** A call, its result as the tool returned it, and how often both occurred in a row. */
interface Streak {
  readonly call: ToolCall;
  readonly result: ToolAnswer;
  readonly count: number;
}

/** Notices when a model makes the same call over and over and gets the same result. */
export class RepeatWatch {
  #last: Streak | undefined;
  #longest = 0;

  /** The most identical calls with identical results in a row. */
  get longest(): number {
    return this.#longest;
  }

  /**
   * Takes the calls of a prompt and their results, in the order of the calls. Returns the result as the model receives it: with
   * a note if it is one too many.
   */
  add(call: ToolCall, result: ToolResultMessage): ToolResultMessage {
    const count = this.#last !== undefined && isRepeated(this.#last, call, result) ? this.#last.count + 1 : 1;
    this.#last = { call, result, count };
    this.#longest = Math.max(this.#longest, count);
    return count === NOTED_AT ? { ...result, content: [...result.content, NOTE] } : result;
  }
}

/** The arguments come first: they are shorter than results, and mostly differ. */
const isRepeated = (before: Streak, call: ToolCall, { content, isError }: ToolAnswer): boolean =>
  before.call.name === call.name &&
  before.result.isError === isError &&
  before.result.content.length === content.length &&
  isEqual(before.call.arguments, call.arguments) &&
  isEqual(before.result.content, content);

/** A result as the tool returned it. */
export const withoutNote = ({ content, isError }: ToolAnswer): ToolAnswer => ({
  content: content.filter((block) => block.type !== "text" || block.text !== NOTE.text),
  isError,
});

/** Whether two values are the same JSON, including the order of their keys. */
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
