import { budgetText } from "@mdx-ai/directory/views/prompt-lines";
import type { BudgetSubject } from "@mdx-ai/loop";
import { type Asked, yesOrNo } from "./approval-content.ts";

/** Asks whether a prompt may spend more than a limit. */
export const budgetQuestion = (budget: BudgetSubject): Asked =>
  yesOrNo(`The prompt ${budgetText(budget)}`, "yes, allow more", {
    lines: [],
    reason: `limits.${budget.limit} asks`,
    no: "no, stop",
  });
