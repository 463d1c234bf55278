import { isAmount, isRecord } from "@mdx-ai/base";
import type { AssistantMessage, Cost, ToolResultMessage, Usage, UserMessage } from "@mdx-ai/models";

/** The usage at the beginning of a prompt, a session or a day. */
export const noCost: Cost = {
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 0 },
  usd: 0,
  unpriced: 0,
  calls: 0,
  latency: 0,
};

/**
 * Adds an answer. `usd` is its cost, undefined if the price is unknown. An answer without tokens adds only its
 * latency.
 */
export function addAnswer(
  cost: Cost,
  { usage, latency = 0 }: Pick<AssistantMessage, "usage" | "latency">,
  usd: number | undefined,
): Cost {
  if (usage.total === 0) return { ...cost, latency: cost.latency + latency };
  return addCost(cost, { usage, usd: usd ?? 0, unpriced: usd === undefined ? 1 : 0, calls: 1, latency });
}

/** The sum of two. */
export function addCost(one: Cost, other: Cost): Cost {
  return {
    usage: addUsage(one.usage, other.usage),
    usd: one.usd + other.usd,
    unpriced: one.unpriced + other.unpriced,
    calls: one.calls + other.calls,
    latency: one.latency + other.latency,
  };
}

const addUsage = (one: Usage, other: Usage): Usage => ({
  input: one.input + other.input,
  output: one.output + other.output,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite: one.cacheWrite + other.cacheWrite,
  thinking: one.thinking + other.thinking,
  total: one.total + other.total,
  ...((one.estimated || other.estimated) && { estimated: true }),
});

/** Whether a parsed JSON value is a `Cost`. */
export const isCost = (value: unknown): value is Cost =>
  isRecord(value) &&
  ["usd", "unpriced", "calls", "latency"].every((name) => isAmount(value[name])) &&
  isUsage(value["usage"]);

const isUsage = (value: unknown): boolean =>
  isRecord(value) &&
  ["input", "output", "cacheRead", "cacheWrite", "thinking", "total"].every((name) => isAmount(value[name])) &&
  (value["estimated"] === undefined || value["estimated"] === true);

/** The latency of an answer in milliseconds; undefined if the journal lacks it. Message guards accept any value there. */
export const latencyOf = ({ latency }: AssistantMessage): number | undefined => amount(latency);

/** The cost of an answer in US dollars; undefined if the journal lacks it. */
export const costOf = ({ cost }: AssistantMessage): number | undefined => amount(cost);

/** A cost with one more journaled answer. */
export const addJournaled = (cost: Cost, message: AssistantMessage): Cost =>
  addAnswer(cost, { usage: message.usage, latency: latencyOf(message) ?? 0 }, costOf(message));

/** A cost with the model calls that a tool or an agent made for its result. Message guards accept any value there. */
export const addResult = (cost: Cost, { cost: more }: Pick<ToolResultMessage | UserMessage, "cost">): Cost =>
  isCost(more) ? addCost(cost, more) : cost;

const amount = (value: unknown): number | undefined => (isAmount(value) ? value : undefined);
