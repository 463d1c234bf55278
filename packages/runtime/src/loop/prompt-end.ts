import type { PromptOutcome } from "../types/module.ts";

/** The last step of a prompt. A prompt without one was cut short by a crash. */
export interface PromptEnd {
  readonly outcome: PromptOutcome;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const OUTCOMES: readonly unknown[] = ["done", "error", "aborted", "limit"] satisfies PromptOutcome[];

export const isPromptEnd = (value: unknown): value is PromptEnd =>
  typeof value === "object" &&
  value !== null &&
  "outcome" in value &&
  OUTCOMES.includes(value.outcome) &&
  "at" in value &&
  typeof value.at === "number";
