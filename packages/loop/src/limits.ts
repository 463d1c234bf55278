import type { Cost, ToolCall, ToolResultMessage } from "@mdx-ai/models";
import type { UsageLimits } from "@mdx-ai/parser";
import { addCost, noCost } from "./cost.ts";
import type { PromptPlan } from "./plan.ts";
import type { LimitName, ReachedLimit } from "./types/event.ts";
import type { ToolAnswer } from "./types/tool-registry.ts";

/** The progress of a prompt, from its journaled results. */
export interface Progress {
  readonly turns: number;
  readonly cost: Cost;
  readonly repeats: number;
  /** Consecutive pauses of the model. */
  readonly pauses: number;
  /** The newest timestamp among the results, in milliseconds since 1970. */
  readonly at: number;
}

/** The maximum number of consecutive pauses. */
const MAX_PAUSES = 10;

/** The limit that ends the prompt before the next request; undefined if none is reached. */
export function reachedLimit(
  plan: PromptPlan,
  { turns, cost, repeats, pauses, at }: Progress,
): ReachedLimit | undefined {
  const { limits } = plan;
  const checks: readonly Check[] = [
    ["seconds", limits.seconds, () => (isPast(plan, at) ? Number.POSITIVE_INFINITY : 0)],
    ["turns", limits.turns, () => turns],
    ...usageChecks(plan, cost),
    ["repeats", limits.repeats, () => repeats],
    ["pauses", MAX_PAUSES, () => pauses],
  ];
  return firstReached(checks);
}

/** The limit of tokens or US dollars that a prompt of this cost has reached; undefined if there is none. */
export const reachedUsage = (plan: SpentPlan, cost: Cost): ReachedLimit | undefined =>
  firstReached(usageChecks(plan, cost));

type SpentPlan = Pick<PromptPlan, "limits" | "spentBefore">;

function firstReached(checks: readonly Check[]): ReachedLimit | undefined {
  const reached = checks.find(([, value, spent]) => value !== undefined && spent() >= value);
  return reached?.[1] === undefined ? undefined : { limit: reached[0], value: reached[1] };
}

const usageChecks = ({ limits, spentBefore }: SpentPlan, cost: Cost): readonly Check[] => [
  ["tokens", limits.tokens, () => cost.usage.total],
  ["usd", limits.usd, () => cost.usd],
  ...spanChecks("session", [spentBefore?.session, cost], limits.session),
  ...spanChecks("day", [spentBefore?.day, cost], limits.day),
];

/** Whether a time is past the deadline. */
export const isPast = ({ deadline }: PromptPlan, at: number): boolean => deadline !== undefined && at >= deadline;

/** A limit, its value if set, and how much of it is used. */
type Check = readonly [limit: LimitName, value: number | undefined, spent: () => number];

function spanChecks(
  span: "session" | "day",
  [before = noCost, now]: readonly [Cost | undefined, Cost],
  limits: UsageLimits | undefined,
): readonly Check[] {
  if (limits === undefined) return [];
  const spent = addCost(before, now);
  return [
    [`${span}.tokens`, limits.tokens, () => spent.usage.total],
    [`${span}.usd`, limits.usd, () => spent.usd],
  ];
}

/** The number of consecutive identical results that triggers a note to the model. */
const NOTED_AT = 3;

const NOTE = {
  type: "text",
  text: "note: this same call has returned the same result three times in a row; do something else, or end",
} as const;

/** A call, its unmodified result, and how often both occurred in a row. */
interface Streak {
  readonly call: ToolCall;
  readonly result: ToolAnswer;
  readonly count: number;
}

/** Detects a model that repeats the same call with the same result. */
export class RepeatWatch {
  #last: Streak | undefined;
  #longest = 0;

  /** The highest number of consecutive identical calls with identical results. */
  get longest(): number {
    return this.#longest;
  }

  /**
   * Takes the calls of a prompt and their results, in the order of the calls. Returns the result for the model, with
   * a note if it repeats too often.
   */
  add(call: ToolCall, result: ToolResultMessage): ToolResultMessage {
    const count = this.#last !== undefined && isRepeated(this.#last, call, result) ? this.#last.count + 1 : 1;
    this.#last = { call, result, count };
    this.#longest = Math.max(this.#longest, count);
    return count === NOTED_AT ? { ...result, content: [...result.content, NOTE] } : result;
  }
}

/** Compares the arguments first: they are shorter than results and usually differ. */
const isRepeated = (before: Streak, call: ToolCall, { content, isError }: ToolAnswer): boolean =>
  before.call.name === call.name &&
  before.result.isError === isError &&
  before.result.content.length === content.length &&
  isEqual(before.call.arguments, call.arguments) &&
  isEqual(before.result.content, content);

/** A result without the loop's note. */
export const withoutNote = ({ content, isError }: ToolAnswer): ToolAnswer => ({
  content: content.filter((block) => block.type !== "text" || block.text !== NOTE.text),
  isError,
});

/** Whether two values are the same JSON, including the order of their keys. */
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
