import { isRecord } from "../record.ts";
import type { PromptOutcome } from "../types/module.ts";

/** The last step of a prompt. A prompt without one was cut short by a crash. */
export interface PromptEnd {
  readonly outcome: PromptOutcome;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const OUTCOMES: readonly unknown[] = ["done", "error", "aborted", "limit"] satisfies PromptOutcome[];

/** Whether a value that came out of JSON is the end of a prompt. */
export const isPromptEnd = (value: unknown): value is PromptEnd =>
  isRecord(value) && OUTCOMES.includes(value["outcome"]) && typeof value["at"] === "number";
