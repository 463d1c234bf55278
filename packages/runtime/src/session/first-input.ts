import { isUserMessage, type UserMessage } from "@mdx-ai/models";
import type { JournalLine } from "../journal/journal-line.ts";

/** What the user said first in these lines, those of a branch that was left by going back among them. */
export const firstInput = (lines: readonly JournalLine[]): UserMessage | undefined =>
  lines.map((line) => ("result" in line ? line.result : undefined)).find(isUserMessage);
