import { fuzzyFilter } from "@earendil-works/pi-tui";
import { cutEnd, drawable } from "../../output/line-layout.ts";
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
/** Details with fewer columns say nothing and are left out. */
const NARROWEST_DETAILS = 16;

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
    if (this.#found.length === 0) return [dim(cutEnd("  No match", columns, ellipsis))];
    const first = Math.max(0, Math.min(this.#selected - Math.floor(rows / 2), this.#found.length - rows));
    const shown = this.#found.slice(first, first + rows);
    const aside = asideColumns(shown, columns);
    return shown.map((choice, at) => this.#line(choice, { isSelected: first + at === this.#selected, columns, aside }));
  }

  #line(choice: Choice, { isSelected, columns, aside }: LineLayout): string {
    const { accent, bold, bullet, dim, warning, ellipsis } = this.#theme;
    const room = columns - MARK - (aside === 0 ? 0 : GAP + aside);
    const title = cutEnd(drawable(choice.title), room, ellipsis);
    const details = cutEnd(drawable(asideOf(choice)), aside, ellipsis);
    const gap = " ".repeat(room - Bun.stringWidth(title) + GAP);
    const mark = isSelected ? `${accent(bullet)} ` : " ".repeat(MARK);
    const paint = choice.remark === "" ? dim : warning;
    return `${mark}${isSelected ? bold(title) : title}${details === "" ? "" : gap + paint(details)}`;
  }
}

interface LineLayout {
  readonly isSelected: boolean;
  readonly columns: number;
  /** The columns beside titles. */
  readonly aside: number;
}

/** As many columns as the longest details need, but no more than half; 0 if that is too little. */
function asideColumns(choices: readonly Choice[], columns: number): number {
  const widest = Math.max(...choices.map((choice) => Bun.stringWidth(drawable(asideOf(choice)))));
  const half = Math.floor((columns - MARK - GAP) / 2);
  return half < Math.min(widest, NARROWEST_DETAILS) ? 0 : Math.min(widest, half);
}

const asideOf = ({ details, remark }: Choice): string => (remark === "" ? details : `${remark}, ${details}`);
