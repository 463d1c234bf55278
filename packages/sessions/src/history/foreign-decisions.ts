import { STEPS } from "@mdx-ai/loop";
import type { JournalLine } from "../journal/journal.ts";
import { readPrompt } from "./read-prompt.ts";

/**
 * The lines of an interrupted prompt that programs of this user did not write, such as one that came with a copied directory,
 * without the decisions about calls that have no result: the policy is applied here, and the user of this machine is asked. Pure.
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
