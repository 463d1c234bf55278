import { STEPS } from "@mdx-ai/loop";
import type { JournalLine } from "../journal/journal.ts";
import { readPrompt } from "./read-prompt.ts";

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
