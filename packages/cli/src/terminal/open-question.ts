import type { ApprovalAnswer } from "@mdx-ai/runtime";
import type { ApprovalContent } from "../approval/approval-content.ts";

/** A key that answers a question. */
export interface AnswerKey {
  /** A small letter. */
  readonly key: string;
  readonly meaning: string;
  readonly answer: ApprovalAnswer["answer"];
  /** Whether the user is asked for a reason then. */
  readonly asksReason?: true;
}

/** What the user is asked. */
export interface Asked {
  readonly content: ApprovalContent;
  readonly keys: readonly AnswerKey[];
  /** Of a prompt that the user did not send. */
  readonly isBackground: boolean;
}

/** A question that is not answered yet. */
export class OpenQuestion {
  readonly asked: Asked;
  readonly #answer = Promise.withResolvers<ApprovalAnswer>();

  constructor(asked: Asked) {
    this.asked = asked;
  }

  /** Rejects where it was taken back. */
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

/** "early": it is not quiet yet; "drafting": something stands in the input; "pressed": a key may be an answer. */
export type QuestionState = "early" | "drafting" | "ready" | "pressed" | "reasoning";
