import type { AssistantMessage, ModelFailure } from "@mdx-ai/models";
import type { PromptPlan } from "./plan.ts";
import type { PromptRun } from "./prompt-effects.ts";

/** Milliseconds of the first wait if the server names none; each further one is twice as long. */
const FIRST_WAIT = 500;
const MAX_WAIT = 8000;
/** Part of a wait that is left to chance, so that clients that failed together do not retry together. */
const CHANCE = 0.25;

/** A retry of a failed call. */
export interface Retry {
  /** The name of its wait. */
  readonly name: string;
  /** From 1. */
  readonly attempt: number;
  readonly failed: AssistantMessage;
}

/** Reports that the model is asked again, and waits. */
export async function waitForRetry({ host, events, plan }: PromptRun, { name, attempt, failed }: Retry): Promise<void> {
  const delay = withinDeadline(plan, failed, delayOf(plan.retries[attempt - 1], attempt, failed));
  const reason = failed.errorMessage ?? "the model failed";
  events.emit({ type: "model_retry", attempt, attempts: plan.retries.length, delay, reason });
  await host.sleep(name, delay);
}

/** The most refusals from which a model may learn for one answer: a server names one refused tool at a time, and an agent may have many. */
const MAX_ADAPTATIONS = 32;

/** Whether a model has learned from a refusal, so that it is asked again at once, after this many such attempts. */
export const isAdapted = ({ stopReason, failure }: AssistantMessage, before: number): boolean =>
  stopReason === "error" && failure?.adapted !== undefined && before < MAX_ADAPTATIONS;

/** Reports that the model is asked again with a changed request. That is no retry: nothing waits, and no retry is used up. */
export function reportAdaptation({ events }: PromptRun, { failure, errorMessage }: AssistantMessage): void {
  const reason = errorMessage ?? "the server refused the request";
  events.emit({ type: "request_adapted", change: failure?.adapted ?? "the request is changed", reason });
}

/** Whether a call that failed is to be repeated, after this many retries. */
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

/** From 0 to 1. Chance must come from a journaled result, so that a repetition waits as long: it is the time of the failure. */
const chanceOf = (timestamp: number): number => (Math.imul(timestamp % 2 ** 32, 0x9e3779b1) >>> 0) / 2 ** 32;

function withinDeadline({ deadline }: PromptPlan, failed: AssistantMessage, delay: number): number {
  return deadline === undefined ? delay : Math.max(0, Math.min(delay, deadline - endOf(failed)));
}

/** When an answer ended, in milliseconds since 1970. */
export const endOf = ({ timestamp, latency = 0 }: AssistantMessage): number => timestamp + latency;

/** Statuses that mean that the request itself is refused, so that a fallback would not help. */
const REFUSED: readonly (number | undefined)[] = [400, 413, 422];

/** Whether the model caused a failure, so that another one may succeed. */
export const isUnavailable = (failure: ModelFailure | undefined): boolean => !REFUSED.includes(failure?.status);
