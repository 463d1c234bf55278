import { counted } from "@mdx-ai/directory/views/figures";
import { type AnswerKey, type Asked, questionNotes } from "../../approval/approval-content.ts";
import { framedLines } from "../../approval/framed-lines.ts";
import { wrapped } from "../../output/line-layout.ts";
import type { Theme } from "../../output/theme.ts";
import type { QuestionState } from "../question-queue.ts";
import type { Screen } from "../screen/screen.ts";

export interface QuestionViewOptions extends Asked {
  readonly screen: Pick<Screen, "append" | "rows">;
  readonly theme: Theme;
  /** The number of questions behind it. */
  readonly others: () => number;
}

/** Minimum rows for the input and for the lines above the question. */
const SPARE_ROWS = 4;

/** Draws a question above the input if all of it fits. Otherwise its details go into the scrollback at once, uncut. */
export class QuestionView {
  readonly #options: QuestionViewOptions;
  #isInScrollback = false;
  #hasRest: boolean;

  constructor(options: QuestionViewOptions) {
    this.#options = options;
    this.#hasRest = options.content.rest.length > 0;
  }

  /** Whether a long diff has lines that are not shown yet. */
  get hasRest(): boolean {
    return this.#hasRest;
  }

  draw(columns: number, answers: (content: ShownQuestion) => string): readonly string[] {
    const { theme, screen, content, others } = this.#options;
    const count = others();
    const more = count === 0 ? "" : `\n${theme.dim(`(${counted(count, "more question")} after it)`)}`;
    const below = wrapped(answers({ keys: this.#options.keys, hasRest: this.#hasRest }) + more, columns);
    if (!this.#isInScrollback) {
      const whole = this.#drawWhole(columns);
      if (whole.length + below.length + SPARE_ROWS <= screen.rows()) return [...whole, ...below];
      this.keep();
    }
    const title = `${theme.warning(`? ${content.title}`)} ${theme.dim("(shown above)")}`;
    return [...wrapped(title, columns), ...below];
  }

  /** Shows the remaining lines of a long diff. */
  showRest(): void {
    if (!this.#hasRest) return;
    this.keep();
    this.#hasRest = false;
    const { screen, content, theme } = this.#options;
    screen.append((columns) => [...framedLines(content.rest, columns, theme), ""]);
  }

  /** Moves the details into the scrollback, once. */
  keep(): void {
    if (this.#isInScrollback) return;
    this.#isInScrollback = true;
    this.#options.screen.append((columns) => [...this.#drawWhole(columns), ""]);
  }

  #drawWhole(columns: number): readonly string[] {
    const { content, isBackground, theme } = this.#options;
    const where = isBackground ? theme.dim("(in the background) ") : "";
    const left = content.rest.length;
    return [
      ...wrapped(`${where}${theme.warning(`? ${content.title}`)}`, columns),
      ...framedLines(content.lines, columns, theme),
      ...(left > 0 ? wrapped(theme.warning(`  ${counted(left, "more line")} of the difference`), columns) : []),
      ...questionNotes(content).flatMap((note) => wrapped(theme.dim(note), columns, "  ")),
    ];
  }
}

/** The state that the available answers depend on. */
interface ShownQuestion {
  readonly keys: readonly AnswerKey[];
  readonly hasRest: boolean;
}

/** The line with the answers. */
export const answersText =
  (state: QuestionState, theme: Theme, asks = "No: what should the model know?") =>
  ({ keys, hasRest }: ShownQuestion): string => {
    switch (state) {
      case "early":
        return theme.dim("One moment: keys still go to the input");
      case "drafting":
        return `${theme.bold("Tab")} sets aside what you typed, to answer ${theme.separator} ${theme.bold("Esc")} no`;
      case "ready":
      case "pressed": {
        const all = [...keys, ...(hasRest ? [{ key: "v", meaning: "view the rest" }] : [])];
        return all.map(({ key, meaning }) => `${theme.bold(key)} ${meaning}`).join(` ${theme.separator} `);
      }
      case "reasoning":
        return `${asks} ${theme.bold("Enter")} sends it, or nothing ${theme.separator} ${theme.bold("Esc")} no`;
    }
  };
