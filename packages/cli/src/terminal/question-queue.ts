import { type Change, changeLine } from "@mdx-ai/directory";
import type { ApprovalAnswer, ApprovalRequest } from "@mdx-ai/loop";
import {
  type AnswerKey,
  type ApprovalContent,
  type Asked,
  approvalContent,
  visibleLine,
} from "../approval/approval-content.ts";
import type { Grant } from "./permissions-text.ts";

interface OpenQuestion {
  readonly asked: Asked;
  /** Rejects if the question is withdrawn. */
  readonly answer: PromiseWithResolvers<ApprovalAnswer>;
}

export interface QuestionQueueOptions {
  /** Whether a call belongs to a prompt that the user did not send. */
  readonly isBackground: (toolCallId: string) => boolean;
  /** Called when the first question was answered or withdrawn. */
  readonly onEnd: (isWithdrawn: boolean) => void;
  /** Called when another question becomes the first; undefined: none is left. */
  readonly onFirst: (asked: Asked | undefined) => void;
}

/** The questions to the user in the order they are asked; the first is open. */
export class QuestionQueue {
  readonly #options: QuestionQueueOptions;
  readonly #waiting: OpenQuestion[] = [];
  readonly #grants: Grant[] = [];

  constructor(options: QuestionQueueOptions) {
    this.#options = options;
  }

  /** The open question. */
  get first(): Asked | undefined {
    return this.#waiting[0]?.asked;
  }

  /** The number of waiting questions behind it. */
  get others(): number {
    return Math.max(0, this.#waiting.length - 1);
  }

  /** Permissions granted for more than one call, in order. */
  get grants(): readonly Grant[] {
    return this.#grants;
  }

  /** Asks about a call. Rejects when `signal` fires. */
  async askAbout(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const content = await approvalContent(request);
    // Show earlier events first.
    await Bun.sleep(0);
    const isBackground = this.#options.isBackground(request.toolCallId);
    return this.ask({ content, keys: callKeys(content), isBackground }, signal);
  }

  /** Asks after earlier questions are answered. Rejects when `signal` fires. */
  async ask(asked: Asked, signal: AbortSignal): Promise<ApprovalAnswer> {
    signal.throwIfAborted();
    const question: OpenQuestion = { asked, answer: Promise.withResolvers() };
    const withdraw = (): void => {
      this.#end(question, true);
      question.answer.reject(signal.reason);
    };
    signal.addEventListener("abort", withdraw, { once: true });
    this.#waiting.push(question);
    if (this.#waiting.length === 1) this.#options.onFirst(asked);
    try {
      return await question.answer.promise;
    } finally {
      signal.removeEventListener("abort", withdraw);
    }
  }

  /** Answers the open question. Returns whether there was one. */
  answer(answer: ApprovalAnswer): boolean {
    const [question] = this.#waiting;
    if (question === undefined) return false;
    const grant = grantOf(question.asked.content, answer.answer);
    if (grant !== undefined) this.#grants.push(grant);
    this.#end(question, false);
    question.answer.resolve(answer);
    return true;
  }

  #end(question: OpenQuestion, isWithdrawn: boolean): void {
    const index = this.#waiting.indexOf(question);
    if (index < 0) return;
    this.#waiting.splice(index, 1);
    if (index > 0) return;
    this.#options.onEnd(isWithdrawn);
    this.#options.onFirst(this.first);
  }
}

/** The permission that an answer grants beyond its call. */
function grantOf({ pattern, prefix }: ApprovalContent, answer: ApprovalAnswer["answer"]): Grant | undefined {
  if (answer === "session" || answer === "always") return pattern === undefined ? undefined : { pattern, answer };
  return answer === "prefix" && prefix !== undefined ? { pattern: prefix, answer: "session" } : undefined;
}

/** The answers to a question about a call. */
const callKeys = ({ prefix, offersEdits }: ApprovalContent): readonly AnswerKey[] => [
  { key: "y", meaning: "once", answer: "once" },
  { key: "s", meaning: "this session", answer: "session" },
  ...(prefix === undefined ? [] : [{ key: "p", meaning: "this prefix", answer: "prefix" as const }]),
  ...(offersEdits ? [{ key: "e", meaning: "all edits", answer: "edits" as const }] : []),
  { key: "a", meaning: "always", answer: "always" },
  { key: "n", meaning: "no", answer: "no", asksReason: true },
];

/** "early": keys were pressed just now; "drafting": the input is not empty; "pressed": a key may be an answer. */
export type QuestionState = "early" | "drafting" | "ready" | "pressed" | "reasoning";

const KEYS: readonly AnswerKey[] = [
  { key: "y", meaning: "yes, until you leave", answer: "once" },
  { key: "a", meaning: "yes, from now on", answer: "always" },
  { key: "n", meaning: "no, keep the previous version", answer: "no" },
];

/** Asks whether to run an agent's code that has changed since it was trusted. */
export const trustQuestion = (changes: readonly Change[]): Asked => ({
  content: {
    title: "What this agent can run has changed. Do you trust it?",
    lines: changes.map((change) => ({ text: visibleLine(changeLine(change)) })),
    rest: [],
    reason: "its files were edited since you trusted them",
  },
  keys: KEYS,
  isBackground: false,
});
