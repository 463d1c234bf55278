import { changeLine, type ManifestChange } from "@mdx-ai/directory";
import type { ApprovalAnswer } from "@mdx-ai/runtime";
import { type ApprovalContent, visibleLine } from "../approval/approval-content.ts";

/** A key that answers a question. */
export interface AnswerKey {
  /** A small letter. */
  readonly key: string;
  readonly meaning: string;
  readonly answer: ApprovalAnswer["answer"];
  /** Whether the user is then asked for a reason. */
  readonly asksReason?: true;
  /** The reason that the key gives with "no", without asking for one. */
  readonly says?: string;
}

/** What the user is asked. */
export interface Asked {
  readonly content: ApprovalContent;
  readonly keys: readonly AnswerKey[];
  /** It belongs to a prompt that the user did not send. */
  readonly isBackground: boolean;
  /** What is shown while the user types after a key that asks for a reason; by default what a refused call asks. */
  readonly asks?: string;
}

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
