import { changeLine, type ManifestChange } from "@mdx-ai/directory";
import type { ApprovalAnswer } from "@mdx-ai/runtime";
import { visibleLine } from "../approval/approval-content.ts";
import type { AnswerKey, Asked } from "../approval/asked.ts";

/** A question that is not answered yet. */
export class OpenQuestion {
  readonly asked: Asked;
  readonly #answer = Promise.withResolvers<ApprovalAnswer>();

  constructor(asked: Asked) {
    this.asked = asked;
  }

  /** Rejects if the question is withdrawn. */
  get answered(): Promise<ApprovalAnswer> {
    return this.#answer.promise;
  }

  answer(answer: ApprovalAnswer): void {
    this.#answer.resolve(answer);
  }

  takeBack(reason: unknown): void {
    this.#answer.reject(reason);
  }
}

/** "early": keys were pressed just now; "drafting": the input is not empty; "pressed": a key may be an answer. */
export type QuestionState = "early" | "drafting" | "ready" | "pressed" | "reasoning";

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
