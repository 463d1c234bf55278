import type { ApprovalAnswer, ApprovalRequest } from "@mdx-ai/runtime";
import type { ApprovalContent } from "../approval/approval-content.ts";

/** What the user is asked. */
export interface AskedCall {
  readonly request: ApprovalRequest;
  readonly content: ApprovalContent;
  /** Of a prompt that the user did not send. */
  readonly isBackground: boolean;
}

/** A question that is not answered yet. */
export class OpenQuestion {
  readonly asked: AskedCall;
  readonly #answer = Promise.withResolvers<ApprovalAnswer>();

  constructor(asked: AskedCall) {
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
