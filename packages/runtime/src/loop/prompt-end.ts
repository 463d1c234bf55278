import { isRecord } from "../record.ts";
import type { LimitName } from "../types/event.ts";
import type { PromptOutcome } from "../types/module.ts";
import type { ReachedLimit } from "./limits.ts";

/** The last step of a prompt. A prompt without one was cut short by a crash. */
export interface PromptEnd {
  readonly outcome: PromptOutcome;
  /** With outcome "limit". */
  readonly limit?: ReachedLimit;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Input during the prompt that the model never received. Absent if there is none. */
  readonly undelivered?: readonly string[];
}

const OUTCOMES: readonly unknown[] = ["done", "error", "aborted", "limit"] satisfies PromptOutcome[];

const LIMITS: readonly unknown[] = [
  "turns",
  "tokens",
  "usd",
  "seconds",
  "repeats",
  "pauses",
  "session.tokens",
  "session.usd",
  "day.tokens",
  "day.usd",
] satisfies LimitName[];

/** Whether a value that came out of JSON is the end of a prompt. */
export const isPromptEnd = (value: unknown): value is PromptEnd =>
  isRecord(value) &&
  OUTCOMES.includes(value["outcome"]) &&
  typeof value["at"] === "number" &&
  (value["limit"] === undefined || isReachedLimit(value["limit"]));

const isReachedLimit = (value: unknown): boolean =>
  isRecord(value) && LIMITS.includes(value["limit"]) && typeof value["value"] === "number";
