import { isRecord } from "@mdx-ai/base";
import { isNewer } from "@mdx-ai/base/disk";

/** The format's version, carried by every line. */
export const JOURNAL_VERSION = 1;

/**
 * One line of `journal.jsonl`: the result of a step, or the marker that a step with effects outside was started. The
 * marker with `false`: the started step waits for the user's answer, and runs again if it gets none before its process ends.
 * Prompts are counted from 1 within a session; the session's own steps belong to prompt 0.
 */
export type JournalLine = LineHead & ({ readonly started: boolean } | { readonly result: unknown });

interface LineHead {
  readonly v: typeof JOURNAL_VERSION;
  readonly prompt: number;
  readonly step: string;
}

/** The step of a line that a reader puts in the place of one that it cannot read; no journal holds it. */
export const UNREADABLE_STEP = "unreadable";

/** The line in the place of one that cannot be read, after a line of this prompt. */
export const unreadableLine = (prompt: number): JournalLine => ({
  v: JOURNAL_VERSION,
  prompt,
  step: UNREADABLE_STEP,
  started: true,
});

/** The line with the result of a step. Prompt 0: a step of the session itself. */
export const resultLine = (prompt: number, step: string, result: unknown): JournalLine => ({
  v: JOURNAL_VERSION,
  prompt,
  step,
  result,
});

/** Whether a value that came out of JSON is a line of this version. */
export function isJournalLine(value: unknown): value is JournalLine {
  return (
    isRecord(value) &&
    value["v"] === JOURNAL_VERSION &&
    Number.isSafeInteger(value["prompt"]) &&
    Number(value["prompt"]) >= 0 &&
    typeof value["step"] === "string" &&
    ("result" in value || typeof value["started"] === "boolean")
  );
}

/** Whether a value that came out of JSON is a line of a newer version. */
export const isNewerLine = (value: unknown): boolean => isRecord(value) && isNewer(value["v"], JOURNAL_VERSION);
