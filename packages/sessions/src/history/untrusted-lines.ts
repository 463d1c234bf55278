import { readStep, STEPS } from "@mdx-ai/loop";
import type { JournalLine } from "../journal/journal.ts";
import { readHistory } from "./read-history.ts";
import { readPrompt } from "./read-prompt.ts";
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

/**
 * The lines of an untrusted interrupted prompt, such as one from a copied directory,
 * without decisions about calls that have no result: the policy is applied again, and the user is asked. Pure.
 */
export function withoutDecisions(lines: readonly JournalLine[]): readonly JournalLine[] {
  const dropped = new Set(
    readPrompt(lines).turns.flatMap(({ number, calls }) => {
      const open = calls.filter(({ result }) => result === undefined);
      if (open.length === 0) return [];
      const decided = open.flatMap(({ step }) => DECIDING.map((kind) => STEPS[kind].name(step)));
      return [STEPS.policy.name(number), ...decided];
    }),
  );
  return lines.filter(({ step }) => !dropped.has(step));
}

const DECIDING = ["question", "answer", "permission"] as const;
