import { wrapped } from "../output/line-layout.ts";
import type { Theme } from "../output/theme.ts";
import { type Choice, ChoiceList } from "./screen/choice-list.ts";
import type { Drawing, Screen } from "./screen/screen.ts";

/** A list for the user to choose from. */
export interface ListQuestion {
  /** One line above the list. */
  readonly question: string;
  /** Not empty. */
  readonly choices: readonly Choice[];
  /** What Enter does, for the line with the keys, such as "opens". */
  readonly verb: string;
  /** Whether text in the input is an answer of its own. Default: it filters the choices. */
  readonly takesText?: true;
}

/** Rows besides the list: the question, the keys, a blank line before each, and the input. */
const OTHER_ROWS = 5;

/** A list of choices with a question and keys. */
export class OpenList {
  readonly #list: ChoiceList;
  readonly #question: ListQuestion;
  readonly #theme: Theme;

  constructor(question: ListQuestion, theme: Theme) {
    this.#list = new ChoiceList(question.choices, theme);
    this.#question = question;
    this.#theme = theme;
  }

  /** The index of the selected choice; undefined if none matches the filter. */
  get selected(): number | undefined {
    return this.#list.selected;
  }

  /** The user's answer with this text in the input; undefined if there is none yet. */
  answer(text: string): Chosen | undefined {
    const index = this.#question.takesText === true && text !== "" ? undefined : this.selected;
    if (index !== undefined) return { type: "picked", index };
    return text === "" ? undefined : { type: "typed", text };
  }

  /** Moves the selection; negative is up. */
  move(entries: number): void {
    this.#list.move(entries);
  }

  /** The lines above the input, at most as many as fit the terminal. */
  draw(columns: number, screen: Pick<Screen, "text" | "rows">): readonly string[] {
    const { question, verb, takesText } = this.#question;
    const { bold, dim } = this.#theme;
    if (takesText === undefined) this.#list.filter(screen.text());
    const typing = takesText === undefined ? "typing filters" : "typed text is your answer";
    const keys = dim(`Up and Down move, ${typing}, Enter ${verb}, Esc cancels`);
    const rows = Math.max(1, screen.rows() - OTHER_ROWS);
    return [...wrapped(bold(question), columns), ...this.#list.draw(columns, rows), "", ...wrapped(keys, columns)];
  }
}

/** The user's choice: an index, or a text that matches none. */
export type Chosen =
  | { readonly type: "picked"; readonly index: number }
  | { readonly type: "typed"; readonly text: string };

/** Lets the user choose from a list. Resolves to undefined if the user dismisses it. */
export type Choose = (question: ListQuestion) => Promise<Chosen | undefined>;

interface Open {
  readonly list: OpenList;
  readonly chosen: PromiseWithResolvers<Chosen | undefined>;
}

/** Shows lists above the input, one at a time. The input filters the list and gets its draft back afterwards. */
export class ListQuestions {
  readonly #screen: Pick<Screen, "refresh" | "text" | "setText" | "rows">;
  readonly #theme: Theme;
  #open: Open | undefined;
  #draft = "";

  constructor(screen: Pick<Screen, "refresh" | "text" | "setText" | "rows">, theme: Theme) {
    this.#screen = screen;
    this.#theme = theme;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** As `Choose`. Dismisses a list that is still open. */
  readonly choose: Choose = (question) => {
    this.#close(undefined);
    this.#draft = this.#screen.text();
    const chosen = Promise.withResolvers<Chosen | undefined>();
    this.#open = { list: new OpenList(question, this.#theme), chosen };
    this.#screen.setText("");
    return chosen.promise;
  };

  readonly draw: Drawing = (columns) => this.#open?.list.draw(columns, this.#screen) ?? [];

  /** Handles a key that moves the selection. Returns whether a list is open. */
  move(entries: number): boolean {
    if (this.#open === undefined) return false;
    this.#open.list.move(entries);
    this.#screen.refresh();
    return true;
  }

  /** Handles Enter. Returns whether a list is open. */
  enter(): boolean {
    if (this.#open === undefined) return false;
    const answer = this.#open.list.answer(this.#screen.text().trim());
    if (answer !== undefined) this.#close(answer);
    return true;
  }

  /** Dismisses the list. Returns whether one was open. */
  dismiss(): boolean {
    if (this.#open === undefined) return false;
    this.#close(undefined);
    return true;
  }

  #close(chosen: Chosen | undefined): void {
    if (this.#open === undefined) return;
    const { chosen: promise } = this.#open;
    this.#open = undefined;
    this.#screen.setText(this.#draft);
    this.#draft = "";
    promise.resolve(chosen);
  }
}
