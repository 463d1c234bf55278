import type { ApprovalAnswer, ApprovalRequest } from "@mdx-ai/runtime";
import { type ApprovalContent, approvalContent } from "../approval/approval-content.ts";
import { type AnswerKey, type Asked, OpenQuestion } from "./open-question.ts";
import type { Grant } from "./permissions-text.ts";

export interface QuestionQueueOptions {
  /** Whether a call belongs to a prompt that the user did not send. */
  readonly isBackground: (toolCallId: string) => boolean;
  /** The first question has ended: answered, or withdrawn. */
  readonly onEnd: (isWithdrawn: boolean) => void;
  /** Another question is the first one; undefined: there is none any more. */
  readonly onFirst: (asked: Asked | undefined) => void;
}

/** The questions to the user in the order in which they are asked; the first one is open. */
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

  /** How many questions wait behind the open one. */
  get others(): number {
    return Math.max(0, this.#waiting.length - 1);
  }

  /** What was answered for more than one call, in the order of the answers. */
  get grants(): readonly Grant[] {
    return this.#grants;
  }

  /** Asks about a call. Rejects when `signal` fires. */
  async askAbout(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const content = await approvalContent(request);
    // Earlier events are shown first.
    await Bun.sleep(0);
    const isBackground = this.#options.isBackground(request.toolCallId);
    return this.ask({ content, keys: callKeys(content), isBackground }, signal);
  }

  /** Asks once earlier questions are answered. Rejects when `signal` fires. */
  async ask(asked: Asked, signal: AbortSignal): Promise<ApprovalAnswer> {
    signal.throwIfAborted();
    const question = new OpenQuestion(asked);
    const withdraw = (): void => {
      this.#end(question, true);
      question.takeBack(signal.reason);
    };
    signal.addEventListener("abort", withdraw, { once: true });
    this.#waiting.push(question);
    if (this.#waiting.length === 1) this.#options.onFirst(asked);
    try {
      return await question.answered;
    } finally {
      signal.removeEventListener("abort", withdraw);
    }
  }

  /** Answers the open question. Returns whether there is one. */
  answer(answer: ApprovalAnswer): boolean {
    const [question] = this.#waiting;
    if (question === undefined) return false;
    const grant = grantOf(question.asked.content, answer.answer);
    if (grant !== undefined) this.#grants.push(grant);
    this.#end(question, false);
    question.answer(answer);
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

/** What an answer allows beyond its call. */
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
