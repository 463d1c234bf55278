import { readStep } from "@mdx-ai/loop";
import type { JournalLine } from "../journal/journal.ts";
import { readHistory } from "./read-history.ts";
import type { SessionHistory } from "./session-history.ts";

/** Whether a line is a record about a file. */
export const isFileLine = ({ step }: JournalLine): boolean => readStep(step).kind === "file";

/**
 * The history of a session for a user with this signature, without file records by other users' programs, which could
 * name any file. Without a signature, all of it is the user's. Pure.
 */
export function ownHistory(lines: readonly JournalLine[], mark: string | undefined): SessionHistory {
  const history = readHistory(lines);
  const { owner } = history.own;
  if (mark === undefined || (owner?.mark === mark && owner.afterPrompt === 0)) return history;
  const others = owner?.mark === mark ? owner.afterPrompt : Number.POSITIVE_INFINITY;
  return readHistory(lines.filter((line) => !isFileLine(line) || line.prompt > others));
}
