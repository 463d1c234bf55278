import type { ApprovalAnswer } from "@mdx-ai/runtime";
import type { ApprovalContent } from "./approval-content.ts";

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
