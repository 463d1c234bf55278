import { fuzzyFilter } from "@earendil-works/pi-tui";
import { drawable } from "../../output/columns.ts";
import { cutEnd } from "../../output/text-width.ts";
import type { Theme } from "../../output/theme.ts";

/** Something that the user can choose. Texts are one line; they may be foreign. */
export interface Choice {
  readonly title: string;
  /** Typed letters are looked for in it, too. */
  readonly details: string;
  /** What the user should know before it is chosen; empty if there is nothing. */
  readonly remark: string;
}

/** The columns of the mark before a title. */
const MARK = 2;
/** The columns between a title and its details. */
const GAP = 2;
/** Titles keep as many columns, even if the details have to be cut. */
const NARROWEST_TITLE = 20;

/** A list of choices in which one is selected; letters that the user types narrow it down. */
export class ChoiceList {
  readonly #choices: readonly Choice[];
  readonly #theme: Theme;
  #query = "";
  #found: readonly Choice[];
  #selected = 0;

  constructor(choices: readonly Choice[], theme: Theme) {
    this.#choices = choices;
    this.#theme = theme;
    this.#found = choices;
  }

  /** The position of the selected one among all choices; undefined if none fits what was typed. */
  get selected(): number | undefined {
    const choice = this.#found[this.#selected];
    return choice && this.#choices.indexOf(choice);
  }

  /** Shows the choices that fit a text, the best ones first; all in their order if it is empty. */
  filter(query: string): void {
    if (query === this.#query) return;
    this.#query = query;
    this.#selected = 0;
    const textOf = ({ title, details, remark }: Choice): string => `${title} ${details} ${remark}`;
    this.#found = query.trim() === "" ? this.#choices : fuzzyFilter([...this.#choices], query, textOf);
  }

  /** Moves the selection by so many entries, negative for up; it stops at both ends. */
  move(entries: number): void {
    this.#selected = Math.max(0, Math.min(this.#found.length - 1, this.#selected + entries));
  }

  /** At most `rows` lines, at least 1, with the selected choice among them. */
  draw(columns: number, rows: number): readonly string[] {
    const { dim, ellipsis } = this.#theme;
    if (this.#found.length === 0) return [dim(cutEnd("  None fits", columns, ellipsis))];
    const first = Math.max(0, Math.min(this.#selected - Math.floor(rows / 2), this.#found.length - rows));
    const shown = this.#found.slice(first, first + rows);
    const widest = Math.max(...shown.map((choice) => Bun.stringWidth(asideOf(choice))));
    const room = columns - MARK - GAP;
    const title = Math.max(Math.min(NARROWEST_TITLE, room), room - widest);
    return shown.map((choice, at) => this.#line(choice, { isSelected: first + at === this.#selected, columns, title }));
  }

  #line(choice: Choice, { isSelected, columns, title }: LineLayout): string {
    const { accent, bold, bullet, dim, warning, ellipsis } = this.#theme;
    const text = cutEnd(drawable(choice.title), title, ellipsis);
    const room = columns - MARK - GAP - title;
    const aside = room > 0 ? cutEnd(drawable(asideOf(choice)), room, ellipsis) : "";
    const gap = " ".repeat(title - Bun.stringWidth(text) + GAP);
    const mark = isSelected ? `${accent(bullet)} ` : " ".repeat(MARK);
    const paint = choice.remark === "" ? dim : warning;
    return `${mark}${isSelected ? bold(text) : text}${aside === "" ? "" : gap + paint(aside)}`;
  }
}

interface LineLayout {
  readonly isSelected: boolean;
  readonly columns: number;
  /** The columns of titles. */
  readonly title: number;
}

const asideOf = ({ details, remark }: Choice): string => (remark === "" ? details : `${remark}, ${details}`);
