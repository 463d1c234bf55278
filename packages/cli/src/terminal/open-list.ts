import { wrapped } from "../output/columns.ts";
import type { Theme } from "../output/theme.ts";
import { type Choice, ChoiceList } from "./screen/choice-list.ts";
import type { Screen } from "./screen/screen.ts";

/** A list to choose from. */
export interface ListQuestion {
  /** One line above the list. */
  readonly question: string;
  /** Not empty. */
  readonly choices: readonly Choice[];
  /** What Enter does, for the line of the keys, such as "opens". */
  readonly verb: string;
}

/** The lines beside the list: the question, the keys, a blank line before each, and the input. */
const OTHER_ROWS = 5;

/** A list of choices with its question and its keys; what is typed in the input filters it. */
export class OpenList {
  readonly #list: ChoiceList;
  readonly #question: ListQuestion;
  readonly #theme: Theme;

  constructor(question: ListQuestion, theme: Theme) {
    this.#list = new ChoiceList(question.choices, theme);
    this.#question = question;
    this.#theme = theme;
  }

  /** The position of the selected choice; undefined if none fits what was typed. */
  get selected(): number | undefined {
    return this.#list.selected;
  }

  /** Moves the selection by so many entries, negative for up. */
  move(entries: number): void {
    this.#list.move(entries);
  }

  /** The lines above the input, no more than the terminal has room for. */
  draw(columns: number, screen: Pick<Screen, "text" | "rows">): readonly string[] {
    const { question, verb } = this.#question;
    const { bold, dim } = this.#theme;
    this.#list.filter(screen.text());
    const keys = dim(`Up and Down move, typing filters, Enter ${verb}, Esc leaves`);
    const rows = Math.max(1, screen.rows() - OTHER_ROWS);
    return [...wrapped(bold(question), columns), ...this.#list.draw(columns, rows), "", ...wrapped(keys, columns)];
  }
}
