import { untilAborted } from "@mdx-ai/base";
import type { AgentEvent, Question } from "@mdx-ai/loop";
import type { Session } from "@mdx-ai/runtime";
import type { CallToolResult, Task, TaskStatus } from "@modelcontextprotocol/server";
import { type EndedPrompt, PromptAnswer } from "./prompt-answer.ts";

/** Milliseconds between two looks of a client that polls. */
const POLL_INTERVAL = 1_000;

/** A prompt that runs as a task of the client. */
export class PromptTask {
  readonly id: string = crypto.randomUUID();
  readonly session: Session;
  readonly #ttl: number;
  readonly #begun: Date;
  readonly #answer = new PromptAnswer();
  readonly #questions = new Map<string, Question>();
  #status: TaskStatus = "working";
  #updated: Date;
  #result: CallToolResult | undefined;
  #change = Promise.withResolvers<void>();

  /** `ttl` is how many milliseconds the task is kept. */
  constructor(session: Session, ttl: number) {
    this.session = session;
    this.#ttl = ttl;
    this.#begun = new Date();
    this.#updated = this.#begun;
  }

  /** The result of the call, once it has ended. */
  get result(): CallToolResult | undefined {
    return this.#result;
  }

  /** The open question that was asked first. */
  get question(): Question | undefined {
    return this.#questions.values().next().value;
  }

  get isEnded(): boolean {
    return ["completed", "failed", "cancelled"].includes(this.#status);
  }

  get isExpired(): boolean {
    return this.isEnded && Date.now() > this.#begun.getTime() + this.#ttl;
  }

  /** The task for the client; `whereToAnswer` says where its question is answered. */
  view(whereToAnswer: (question: Question) => string): Task {
    const { question } = this;
    return {
      ...{ taskId: this.id, status: this.#status, ttl: this.#ttl, pollInterval: POLL_INTERVAL },
      ...{ createdAt: this.#begun.toISOString(), lastUpdatedAt: this.#updated.toISOString() },
      ...(question !== undefined && { statusMessage: whereToAnswer(question) }),
    };
  }

  /** Resolves when the task has changed, or the signal has fired. */
  async changed(signal: AbortSignal): Promise<void> {
    await untilAborted(
      () => this.#change.promise,
      signal,
      () => {},
    );
  }

  add(event: AgentEvent): void {
    this.#answer.add(event);
    if (event.type === "question_asked") this.#questions.set(event.question.id, event.question);
    else if (event.type === "question_answered") this.#questions.delete(event.questionId);
    else return;
    this.#enter(this.#questions.size > 0 ? "input_required" : "working");
  }

  /** The prompt has ended, or was never begun. */
  end(resultOf: (end: EndedPrompt) => CallToolResult): void {
    const { end } = this.#answer;
    // A prompt that waits has lost its server.
    this.finish(resultOf(end.type === "end" ? end : CANCELLED));
  }

  finish(result: CallToolResult): void {
    if (this.#result !== undefined) return;
    this.#result = result;
    this.#questions.clear();
    if (!this.isEnded) this.#enter(result.isError === true ? "failed" : "completed");
    else this.#changes();
  }

  /** Call it before the prompt is stopped. */
  cancel(): void {
    this.#enter("cancelled");
  }

  #enter(status: TaskStatus): void {
    if (this.isEnded) return;
    this.#status = status;
    this.#changes();
  }

  #changes(): void {
    this.#updated = new Date();
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}

const CANCELLED: EndedPrompt = { type: "end", text: "the prompt was cancelled", isFailed: true };
