import { changeLine, type ManifestChange } from "@mdx-ai/directory";
import { visibleLine } from "../approval/visible-line.ts";
import type { AnswerKey, Asked } from "./open-question.ts";

const KEYS: readonly AnswerKey[] = [
  { key: "y", meaning: "yes, until you leave", answer: "once" },
  { key: "a", meaning: "yes, from now on", answer: "always" },
  { key: "n", meaning: "no, it stays as it was", answer: "no" },
];

/** Asks whether an agent may run code that has changed since its user trusted it. */
export const trustQuestion = (changes: readonly ManifestChange[]): Asked => ({
  content: {
    title: "What this agent can run has changed. Do you trust it?",
    lines: changes.map((change) => ({ text: visibleLine(changeLine(change)) })),
    rest: [],
    reason: "its files were edited since you trusted them",
  },
  keys: KEYS,
  isBackground: false,
});
