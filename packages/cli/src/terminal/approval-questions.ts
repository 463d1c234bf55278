import type { ApprovalAnswer } from "@mdx-ai/loop";
import type { AnswerKey, Asked } from "../approval/approval-content.ts";
import type { Theme } from "../output/theme.ts";
import { QuestionQueue, type QuestionState } from "./question-queue.ts";
import type { Drawing, Screen } from "./screen/screen.ts";
import { answersText, QuestionView } from "./view/question-view.ts";

export interface ApprovalQuestionsOptions {
  readonly screen: Pick<Screen, "append" | "refresh" | "text" | "setText" | "rows">;
  readonly theme: Theme;
  /** Whether a call belongs to a prompt that the user did not send. */
  readonly isBackground: (toolCallId: string) => boolean;
  /** Milliseconds of silence required before and after a key that is an answer. */
  readonly quiet?: number;
  /** Called when a question opens or the last one closes. */
  readonly onOpen?: (isOpen: boolean) => void;
}

/** Faster keys are part of typed text, or come too soon for the question to have been read. */
const QUIET_MILLISECONDS = 400;

/**
 * Asks tool questions above the input, one at a time. A key is an answer only if the input is empty and nothing was typed for a moment
 * before and after it, so that typed text is never taken for an answer; until then keys go to the input. Tab parks the input's text until
 * no question is open.
 */
export class ApprovalQuestions {
  readonly queue: QuestionQueue;
  readonly #options: ApprovalQuestionsOptions;
  readonly #quiet: number;
  #view: QuestionView | undefined;
  #lastTyped = Number.NEGATIVE_INFINITY;
  /** A key that becomes the answer unless another key follows. */
  #pressed: string | undefined;
  #isReasoning = false;
  #draft = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ApprovalQuestionsOptions) {
    this.#options = options;
    this.#quiet = options.quiet ?? QUIET_MILLISECONDS;
    this.queue = new QuestionQueue({
      isBackground: options.isBackground,
      onEnd: () => this.#onEnd(),
      onFirst: (asked) => this.#onFirst(asked),
    });
  }

  get isOpen(): boolean {
    return this.#view !== undefined;
  }

  /** Draws the question and its keys. */
  readonly draw: Drawing = (columns) => {
    const { theme } = this.#options;
    return this.#view?.draw(columns, answersText(this.#state(), theme, this.queue.first?.asks)) ?? [];
  };

  /** Handles a key: a character, a tab, or undefined for any other. Returns false if the input should receive it. */
  typed(character: string | undefined): boolean {
    const state = this.#state();
    this.#lastTyped = performance.now();
    if (this.#view === undefined) return false;
    this.#arm();
    switch (state) {
      case "pressed":
        this.#takeForText();
        return false;
      case "drafting":
        if (character === "\t") this.#putAside();
        return character === "\t";
      case "ready":
        return this.#press(character);
      case "early":
      case "reasoning":
        return false;
    }
  }

  /** Handles Enter. Returns whether it was used. */
  enter(): boolean {
    if (this.#view === undefined) return false;
    if (this.#pressed !== undefined) {
      this.#act();
      return true;
    }
    if (!this.#isReasoning) return false;
    const reason = this.#options.screen.text().trim();
    this.#options.screen.setText("");
    this.queue.answer({ answer: "no", ...(reason !== "" && { reason }) });
    return true;
  }

  /** Answers the open question with no. Returns whether there was one. */
  dismiss(): boolean {
    if (this.#view === undefined) return false;
    if (this.#isReasoning) this.#options.screen.setText("");
    this.queue.answer({ answer: "no" });
    return true;
  }

  /** Stops the timer. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #state(): QuestionState {
    if (this.#isReasoning) return "reasoning";
    if (this.#pressed !== undefined) return "pressed";
    if (this.#options.screen.text() !== "") return "drafting";
    return performance.now() - this.#lastTyped < this.#quiet ? "early" : "ready";
  }

  #press(character: string | undefined): boolean {
    const key = character?.toLowerCase() ?? "";
    const isAnswer = this.#keyOf(key) !== undefined || (key === "v" && this.#view?.hasRest);
    if (!isAnswer) return false;
    this.#pressed = character;
    return true;
  }

  /** Moves a key that was waiting to be an answer into the input. */
  #takeForText(): void {
    const { screen } = this.#options;
    screen.setText(screen.text() + (this.#pressed ?? ""));
    this.#pressed = undefined;
  }

  #putAside(): void {
    const { screen } = this.#options;
    this.#draft = [this.#draft, screen.text()].filter((text) => text !== "").join("\n\n");
    screen.setText("");
  }

  /** Checks again after the quiet time. */
  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#pressed !== undefined) this.#act();
      this.#options.screen.refresh();
    }, this.#quiet);
  }

  #act(): void {
    const key = this.#pressed?.toLowerCase();
    this.#pressed = undefined;
    const pressed = this.#keyOf(key);
    if (key === "v") this.#view?.showRest();
    else if (pressed?.asksReason) this.#isReasoning = true;
    else if (pressed) this.queue.answer(answerOf(pressed));
    this.#options.screen.refresh();
  }

  #keyOf(key: string | undefined): AnswerKey | undefined {
    return this.queue.first?.keys.find((one) => one.key === key);
  }

  #onEnd(): void {
    this.#view?.keep();
    this.#pressed = undefined;
    this.#isReasoning = false;
  }

  #onFirst(asked: Asked | undefined): void {
    const { screen, theme } = this.#options;
    this.#view = asked && new QuestionView({ ...asked, screen, theme, others: () => this.queue.others });
    if (asked === undefined) {
      clearTimeout(this.#timer);
      this.#restoreDraft();
    } else {
      this.#lastTyped = performance.now();
      this.#arm();
    }
    this.#options.onOpen?.(asked !== undefined);
    screen.refresh();
  }

  #restoreDraft(): void {
    if (this.#draft === "") return;
    this.#putAside();
    this.#options.screen.setText(this.#draft);
    this.#draft = "";
  }
}

const answerOf = ({ answer, says }: AnswerKey): ApprovalAnswer =>
  says === undefined ? { answer } : { answer: "no", reason: says };
