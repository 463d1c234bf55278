import type { UsageLimits } from "@mdx-ai/parser";
import { addCost, noCost, totalTokens } from "./cost.ts";
import type { PromptPlan } from "./plan.ts";
import type { Cost, LimitName, ReachedLimit } from "./types/event.ts";

/** The progress of a prompt, from its journaled results. */
export interface Progress {
  readonly turns: number;
  readonly cost: Cost;
  readonly repeats: number;
  /** Pauses of the model in a row. */
  readonly pauses: number;
  /** The newest timestamp among the results, in milliseconds since 1970. */
  readonly at: number;
}

/** Pauses in a row that a model gets. */
const MAX_PAUSES = 10;

/** The limit at which a prompt must end before the model is asked again; undefined if there is none. */
export function reachedLimit(
  plan: PromptPlan,
  { turns, cost, repeats, pauses, at }: Progress,
): ReachedLimit | undefined {
  const { limits, spentBefore } = plan;
  const checks: readonly Check[] = [
    ["seconds", isPast(plan, at) ? Number.POSITIVE_INFINITY : 0, limits.seconds],
    ["turns", turns, limits.turns],
    ["tokens", totalTokens(cost.usage), limits.tokens],
    ["usd", cost.usd, limits.usd],
    ...spanChecks("session", [spentBefore?.session, cost], limits.session),
    ...spanChecks("day", [spentBefore?.day, cost], limits.day),
    ["repeats", repeats, limits.repeats],
    ["pauses", pauses, MAX_PAUSES],
  ];
  const reached = checks.find(([, spent, value]) => value !== undefined && spent >= value);
  return reached?.[2] === undefined ? undefined : { limit: reached[0], value: reached[2] };
}

/** Whether a time is past the deadline. */
export const isPast = ({ deadline }: PromptPlan, at: number): boolean => deadline !== undefined && at >= deadline;

/** A limit, how much of it is used up, and its value if it is set. */
type Check = readonly [limit: LimitName, spent: number, value: number | undefined];

function spanChecks(
  span: "session" | "day",
  [before = noCost, now]: readonly [Cost | undefined, Cost],
  limits: UsageLimits | undefined,
): readonly Check[] {
  if (limits === undefined) return [];
  const spent = addCost(before, now);
  return [
    [`${span}.tokens`, totalTokens(spent.usage), limits.tokens],
    [`${span}.usd`, spent.usd, limits.usd],
  ];
}
