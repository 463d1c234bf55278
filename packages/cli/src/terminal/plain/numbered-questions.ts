import type { ApprovalAnswer, ApprovalRequest } from "@mdx-ai/runtime";
import { approvalContent, questionNotes } from "../../approval/approval-content.ts";
import type { AnswerKey, Asked } from "../../approval/asked.ts";
import { framedLines } from "../../approval/framed-lines.ts";
import type { Theme } from "../../output/theme.ts";
import { callKeys } from "../approval-questions.ts";
import { OpenQuestion } from "../open-question.ts";
import type { Grant } from "../permissions-text.ts";
import type { Drawing } from "../screen/screen.ts";

export interface NumberedQuestionsOptions {
  readonly theme: Theme;
  readonly write: (drawing: Drawing) => void;
  readonly isBackground: (toolCallId: string) => boolean;
  /** A question is shown, or none any more. */
  readonly onOpen: (isOpen: boolean) => void;
  /** Milliseconds after which a line may be an answer; one that comes sooner was typed before the question was read. */
  readonly quiet?: number;
}

const QUIET_MILLISECONDS = 400;

/** The questions of tools as numbered lines, one question at a time; the answer is a line with a number. */
export class NumberedQuestions {
  readonly #options: NumberedQuestionsOptions;
  readonly #waiting: OpenQuestion[] = [];
  readonly #grants: Grant[] = [];
  #shownAt = 0;

  constructor(options: NumberedQuestionsOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#waiting.length > 0;
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
    const takeBack = (): void => {
      this.#end(question, "The question is withdrawn.");
      question.takeBack(signal.reason);
    };
    signal.addEventListener("abort", takeBack, { once: true });
    this.#waiting.push(question);
    if (this.#waiting.length === 1) this.#show(asked);
    try {
      return await question.answered;
    } finally {
      signal.removeEventListener("abort", takeBack);
    }
  }

  /** A line was typed. Returns whether it was about a question. */
  typed(line: string): boolean {
    const [question] = this.#waiting;
    if (question === undefined) return false;
    const [, number = "", reason = ""] = /^\s*(\d+)(?:\s+(.*))?$/s.exec(line) ?? [];
    const isEarly = performance.now() - this.#shownAt < (this.#options.quiet ?? QUIET_MILLISECONDS);
    if (isEarly && number === "") return false;
    const key = isEarly ? undefined : question.asked.keys[Number(number) - 1];
    if (key === undefined) this.#remind(question.asked, isEarly);
    else this.#answer(question, key, reason.trim());
    return true;
  }

  /** Answers the open question with no. Returns whether there is one. */
  dismiss(): boolean {
    const [question] = this.#waiting;
    if (question === undefined) return false;
    this.#end(question);
    question.answer({ answer: "no" });
    return true;
  }

  #answer(question: OpenQuestion, { answer, asksReason, says }: AnswerKey, typed: string): void {
    const reason = says ?? typed;
    const { pattern, prefix } = question.asked.content;
    if (pattern !== undefined && (answer === "session" || answer === "always")) this.#grants.push({ pattern, answer });
    if (prefix !== undefined && answer === "prefix") this.#grants.push({ pattern: prefix, answer: "session" });
    this.#end(question);
    question.answer(
      answer === "no" && (asksReason || says !== undefined) && reason !== "" ? { answer, reason } : { answer },
    );
  }

  #remind({ keys }: Asked, isEarly: boolean): void {
    const why = isEarly ? "The question had only just been asked. " : "";
    this.#say([`${why}Answer with a number from 1 to ${keys.length}:`]);
  }

  #show({ content, keys, isBackground, asks }: Asked): void {
    const { theme, write, onOpen } = this.#options;
    this.#shownAt = performance.now();
    write((columns) => [
      `${isBackground ? "(in the background) " : ""}Question: ${content.title}`,
      ...framedLines([...content.lines, ...content.rest], columns, theme),
    ]);
    this.#say([
      ...questionNotes(content),
      ...keys.map(({ meaning, asksReason }, at) => answerLine(meaning, at + 1, asksReason, asks)),
      "Answer with a number:",
    ]);
    onOpen(true);
  }

  /** Shows the next question if this one was open. */
  #end(question: OpenQuestion, remark?: string): void {
    const index = this.#waiting.indexOf(question);
    if (index < 0) return;
    this.#waiting.splice(index, 1);
    if (index > 0) return;
    if (remark !== undefined) this.#say([remark]);
    const [next] = this.#waiting;
    if (next === undefined) this.#options.onOpen(false);
    else this.#show(next.asked);
  }

  #say(lines: readonly string[]): void {
    this.#options.write(() => lines);
  }
}

const answerLine = (meaning: string, number: number, asksReason = false, asks?: string): string => {
  const use = asks === undefined ? `${number} REASON says why` : `${number} ANSWER`;
  return `${number}. ${meaning}${asksReason ? ` (${use})` : ""}`;
};
