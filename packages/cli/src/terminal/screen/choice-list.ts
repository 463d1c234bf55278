import { fuzzyFilter } from "@earendil-works/pi-tui";
import { cutEnd, drawable } from "../../output/line-layout.ts";
import type { Theme } from "../../output/theme.ts";

/** An option for the user. Texts are one line and may be untrusted. */
export interface Choice {
  readonly title: string;
  /** Also searched by the filter. */
  readonly details: string;
  /** A warning about the choice; may be empty. */
  readonly remark: string;
}

/** Columns of the mark before a title. */
const MARK = 2;
/** Columns between a title and its details. */
const GAP = 2;
/** Details narrower than this are omitted. */
const NARROWEST_DETAILS = 16;

/** A list of choices with a selection and a filter. */
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

  /** The index of the selected choice among all; undefined if none matches. */
  get selected(): number | undefined {
    const choice = this.#found[this.#selected];
    return choice && this.#choices.indexOf(choice);
  }

  /** Shows the choices that match a text, best first; all in order if it is empty. */
  filter(query: string): void {
    if (query === this.#query) return;
    this.#query = query;
    this.#selected = 0;
    const textOf = ({ title, details, remark }: Choice): string => `${title} ${details} ${remark}`;
    this.#found = query.trim() === "" ? this.#choices : fuzzyFilter([...this.#choices], query, textOf);
  }

  /** Moves the selection; negative is up. Stops at both ends. */
  move(entries: number): void {
    this.#selected = Math.max(0, Math.min(this.#found.length - 1, this.#selected + entries));
  }

  /** At most `rows` lines, at least 1, including the selected choice. */
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
  /** Columns for the details. */
  readonly aside: number;
}

/** The width of the longest details, at most half; 0 if that is too narrow. */
function asideColumns(choices: readonly Choice[], columns: number): number {
  const widest = Math.max(...choices.map((choice) => Bun.stringWidth(drawable(asideOf(choice)))));
  const half = Math.floor((columns - MARK - GAP) / 2);
  return half < Math.min(widest, NARROWEST_DETAILS) ? 0 : Math.min(widest, half);
}

const asideOf = ({ details, remark }: Choice): string => (remark === "" ? details : `${remark}, ${details}`);
