import type { AssistantMessage, ModelFailure } from "@mdx-ai/models";
import type { PromptPlan } from "./plan.ts";
import type { PromptRun } from "./prompt-effects.ts";

/** The first wait in milliseconds if the server names none. Each further wait is twice as long. */
const FIRST_WAIT = 500;
const MAX_WAIT = 8000;
/** The random part of a wait, so that clients that failed together do not retry together. */
const CHANCE = 0.25;

/** A retry of a failed call. */
export interface Retry {
  /** The step name of its wait. */
  readonly name: string;
  /** From 1. */
  readonly attempt: number;
  readonly failed: AssistantMessage;
}

/** Reports the retry and waits. */
export async function waitForRetry({ host, events, plan }: PromptRun, { name, attempt, failed }: Retry): Promise<void> {
  const delay = withinDeadline(plan, failed, delayOf(plan.retries[attempt - 1], attempt, failed));
  const reason = failed.errorMessage ?? "the model failed";
  events.emit({ type: "model_retry", attempt, attempts: plan.retries.length, delay, reason });
  await host.sleep(name, delay);
}

/** The maximum number of adapted requests for one answer: a server names one rejected tool at a time, and an agent may have many. */
const MAX_ADAPTATIONS = 32;

/** Whether the model has adapted to a rejection and is asked again at once, after this many such attempts. */
export const isAdapted = ({ stopReason, failure }: AssistantMessage, before: number): boolean =>
  stopReason === "error" && failure?.adapted !== undefined && before < MAX_ADAPTATIONS;

/** Reports a changed request. It does not wait and does not count as a retry. */
export function reportAdaptation({ events }: PromptRun, { failure, errorMessage }: AssistantMessage): void {
  const reason = errorMessage ?? "the server refused the request";
  events.emit({ type: "request_adapted", change: failure?.adapted ?? "the request is changed", reason });
}

/** Whether to repeat a failed call, after this many retries. */
export const mayRetry = ({ retries }: PromptPlan, { stopReason, failure }: AssistantMessage, before: number): boolean =>
  stopReason === "error" && failure?.isTransient === true && before < retries.length;

function delayOf(
  seconds: number | null | undefined,
  attempt: number,
  { failure, timestamp }: AssistantMessage,
): number {
  const chosen = Math.min(MAX_WAIT, FIRST_WAIT * 2 ** (attempt - 1)) * (1 - CHANCE * chanceOf(timestamp));
  const wanted = seconds === null || seconds === undefined ? (failure?.retryAfter ?? chosen) : 1000 * seconds;
  return Math.round(Math.max(wanted, failure?.retryAfter ?? 0));
}

/** A number from 0 to 1, derived from the journaled time of the failure, so that a repetition waits as long. */
const chanceOf = (timestamp: number): number => (Math.imul(timestamp % 2 ** 32, 0x9e3779b1) >>> 0) / 2 ** 32;

function withinDeadline({ deadline }: PromptPlan, failed: AssistantMessage, delay: number): number {
  return deadline === undefined ? delay : Math.max(0, Math.min(delay, deadline - endOf(failed)));
}

/** When an answer ended, in milliseconds since 1970. */
export const endOf = ({ timestamp, latency = 0 }: AssistantMessage): number => timestamp + latency;

/** Statuses of an invalid request, for which a fallback would not help. */
const REFUSED: readonly (number | undefined)[] = [400, 413, 422];

/** Whether the failure is the model's, so that another model may succeed. */
export const isUnavailable = (failure: ModelFailure | undefined): boolean => !REFUSED.includes(failure?.status);
