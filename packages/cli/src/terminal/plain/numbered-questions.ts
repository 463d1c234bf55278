import { type AnswerKey, type Asked, questionNotes } from "../../approval/approval-content.ts";
import { framedLines } from "../../approval/framed-lines.ts";
import type { Theme } from "../../output/theme.ts";
import { QuestionQueue } from "../question-queue.ts";
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
  readonly queue: QuestionQueue;
  readonly #options: NumberedQuestionsOptions;
  #shownAt = 0;

  constructor(options: NumberedQuestionsOptions) {
    this.#options = options;
    const { isBackground, onOpen } = options;
    this.queue = new QuestionQueue({
      isBackground,
      onEnd: (isWithdrawn) => {
        if (isWithdrawn) this.#say(["The question was withdrawn."]);
      },
      onFirst: (asked) => {
        if (asked !== undefined) this.#show(asked);
        onOpen(asked !== undefined);
      },
    });
  }

  get isOpen(): boolean {
    return this.queue.first !== undefined;
  }

  /** A line was typed. Returns whether it was about a question. */
  typed(line: string): boolean {
    const { first } = this.queue;
    if (first === undefined) return false;
    const [, number = "", reason = ""] = /^\s*(\d+)(?:\s+(.*))?$/s.exec(line) ?? [];
    const isEarly = performance.now() - this.#shownAt < (this.#options.quiet ?? QUIET_MILLISECONDS);
    if (isEarly && number === "") return false;
    const key = isEarly ? undefined : first.keys[Number(number) - 1];
    if (key === undefined) this.#remind(first, isEarly);
    else this.#answer(key, reason.trim());
    return true;
  }

  /** Answers the open question with no. Returns whether there is one. */
  dismiss(): boolean {
    return this.queue.answer({ answer: "no" });
  }

  #answer({ answer, asksReason, says }: AnswerKey, typed: string): void {
    const reason = says ?? typed;
    const isSaid = answer === "no" && (asksReason || says !== undefined) && reason !== "";
    this.queue.answer(isSaid ? { answer, reason } : { answer });
  }

  #remind({ keys }: Asked, isEarly: boolean): void {
    const why = isEarly ? "The question had only just been asked. " : "";
    this.#say([`${why}Answer with a number from 1 to ${keys.length}:`]);
  }

  #show({ content, keys, isBackground, asks }: Asked): void {
    const { theme, write } = this.#options;
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
  }

  #say(lines: readonly string[]): void {
    this.#options.write(() => lines);
  }
}

const answerLine = (meaning: string, number: number, asksReason = false, asks?: string): string => {
  const use = asks === undefined ? `${number} REASON says why` : `${number} ANSWER`;
  return `${number}. ${meaning}${asksReason ? ` (${use})` : ""}`;
};
