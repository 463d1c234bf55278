import { createInterface } from "node:readline";
import { plainLine } from "@mdx-ai/directory/text";
import { type AnswerKey, type Asked, questionNotes } from "../../approval/approval-content.ts";
import { framedLines } from "../../approval/framed-lines.ts";
import type { Output } from "../../output/output.ts";
import type { Theme } from "../../output/theme.ts";
import type { Choose, Chosen, ListQuestion } from "../list-questions.ts";
import { QuestionQueue } from "../question-queue.ts";
import type { Drawing } from "../screen/screen.ts";

export interface NumberedQuestionsOptions {
  readonly theme: Theme;
  readonly write: (drawing: Drawing) => void;
  readonly isBackground: (toolCallId: string) => boolean;
  /** Called when a question opens or the last one closes. */
  readonly onOpen: (isOpen: boolean) => void;
  /** Milliseconds after which a line may be an answer; an earlier one was typed before the question was read. */
  readonly quiet?: number;
}

const QUIET_MILLISECONDS = 400;

/** Asks tool questions as numbered lines, one at a time. The answer is a line with a number. */
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

  /** Handles a typed line. Returns whether it was for a question. */
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

  /** Answers the open question with no. Returns whether there was one. */
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

/** Shows lists as numbered lines, one at a time. The answer is a line with a number. */
export class NumberedLists {
  readonly #say: (lines: readonly string[]) => void;
  #open: { readonly length: number; readonly chosen: PromiseWithResolvers<Chosen | undefined> } | undefined;

  constructor(say: (lines: readonly string[]) => void) {
    this.#say = say;
  }

  /** As `Choose`. Dismisses a list that is still open. */
  readonly choose: Choose = ({ question, choices }) => {
    this.dismiss();
    const chosen = Promise.withResolvers<Chosen | undefined>();
    this.#open = { length: choices.length, chosen };
    const lines = choices.map(({ title, details, remark }, at) =>
      plainLine([`${at + 1}. ${title}`, details, remark].filter((part) => part !== "").join(", ")),
    );
    this.#say([question, ...lines, "Enter a number; an empty line cancels:"]);
    return chosen.promise;
  };

  /** Handles a typed line. Returns whether it was for a list. */
  typed(line: string): boolean {
    if (this.#open === undefined) return false;
    const text = line.trim();
    const isNumber = /^\d+$/.test(text);
    const index = Number(text) - 1;
    if (isNumber && (index < 0 || index >= this.#open.length)) {
      this.#say([`Enter a number from 1 to ${this.#open.length}; an empty line cancels:`]);
    } else if (isNumber) this.#close({ type: "picked", index });
    else this.#close(text === "" ? undefined : { type: "typed", text });
    return true;
  }

  /** Dismisses the list. Returns whether one was open. */
  dismiss(): boolean {
    if (this.#open === undefined) return false;
    this.#close(undefined);
    return true;
  }

  #close(chosen: Chosen | undefined): void {
    const { chosen: promise } = this.#open ?? {};
    this.#open = undefined;
    promise?.resolve(chosen);
  }
}

export interface ChooseByNumberOptions {
  readonly output: Output;
  /** Dismisses the list when it fires. */
  readonly signal: AbortSignal;
}

/**
 * Lets the user choose before a conversation starts, from numbered lines. Resolves to the index; undefined if the user leaves, the input
 * ends or `signal` fires.
 */
export async function chooseByNumber(
  question: Omit<ListQuestion, "verb">,
  { output, signal }: ChooseByNumberOptions,
): Promise<number | undefined> {
  const lists = new NumberedLists((lines) => output.write(`${lines.join("\n")}\n`));
  let hasEnded = signal.aborted;
  const leave = (): void => {
    hasEnded = true;
    lists.dismiss();
  };
  const input = createInterface({ input: process.stdin, terminal: false });
  input.on("line", (line) => void lists.typed(line)).on("close", leave);
  signal.addEventListener("abort", leave, { once: true });
  try {
    while (!hasEnded) {
      const chosen = await lists.choose({ ...question, verb: "" });
      if (chosen?.type !== "typed") return chosen?.index;
    }
    return undefined;
  } finally {
    signal.removeEventListener("abort", leave);
    input.close();
  }
}
