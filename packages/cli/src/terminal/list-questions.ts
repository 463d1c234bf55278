import { wrapped } from "../output/line-layout.ts";
import type { Theme } from "../output/theme.ts";
import { type Choice, ChoiceList } from "./screen/choice-list.ts";
import type { Drawing, Screen } from "./screen/screen.ts";

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
    const keys = dim(`Up and Down move, typing filters, Enter ${verb}, Esc cancels`);
    const rows = Math.max(1, screen.rows() - OTHER_ROWS);
    return [...wrapped(bold(question), columns), ...this.#list.draw(columns, rows), "", ...wrapped(keys, columns)];
  }
}

/** What the user chose: the position of a choice, or a text that fits none. */
export type Chosen =
  | { readonly type: "picked"; readonly index: number }
  | { readonly type: "typed"; readonly text: string };

/** Lets the user choose from a list. Resolves to undefined if the user leaves it. */
export type Choose = (question: ListQuestion) => Promise<Chosen | undefined>;

interface Open {
  readonly list: OpenList;
  readonly chosen: PromiseWithResolvers<Chosen | undefined>;
}

/** The lists of commands, one at a time, above the input, which filters them; its draft returns afterwards. */
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

  /** As `Choose`. A list that is still open is left. */
  readonly choose: Choose = (question) => {
    this.#close(undefined);
    this.#draft = this.#screen.text();
    const chosen = Promise.withResolvers<Chosen | undefined>();
    this.#open = { list: new OpenList(question, this.#theme), chosen };
    this.#screen.setText("");
    return chosen.promise;
  };

  readonly draw: Drawing = (columns) => this.#open?.list.draw(columns, this.#screen) ?? [];

  /** A key moves the selection. Returns whether a list is open. */
  move(entries: number): boolean {
    if (this.#open === undefined) return false;
    this.#open.list.move(entries);
    this.#screen.refresh();
    return true;
  }

  /** Enter was pressed. Returns whether a list is open. */
  enter(): boolean {
    if (this.#open === undefined) return false;
    const index = this.#open.list.selected;
    const text = this.#screen.text().trim();
    if (index !== undefined) this.#close({ type: "picked", index });
    else if (text !== "") this.#close({ type: "typed", text });
    return true;
  }

  /** Leaves the list. Returns whether one is open. */
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
