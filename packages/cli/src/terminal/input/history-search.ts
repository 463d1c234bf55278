import type { Theme } from "../../output/theme.ts";
import { type Choice, ChoiceList } from "../screen/choice-list.ts";

/** Entries that are shown at once. */
const ROWS = 8;

/** A search of the user's history: the newest texts that hold what is typed in the input. */
export class HistorySearch {
  readonly #texts: readonly string[];
  readonly #theme: Theme;
  #query: string | undefined;
  #found: readonly string[] = [];
  #list: ChoiceList;

  /** `texts` has the oldest first. */
  constructor(texts: readonly string[], theme: Theme) {
    this.#texts = [...new Set(texts.toReversed())];
    this.#theme = theme;
    this.#list = new ChoiceList([], theme);
    this.look("");
  }

  /** The selected text; undefined if nothing fits. */
  get selected(): string | undefined {
    const { selected } = this.#list;
    return selected === undefined ? undefined : this.#found[selected];
  }

  /** Looks for another text, whatever the case of its letters. */
  look(query: string): void {
    if (query === this.#query) return;
    this.#query = query;
    const wanted = query.toLowerCase();
    this.#found = this.#texts.filter((text) => text.toLowerCase().includes(wanted));
    this.#list = new ChoiceList(this.#found.map(choiceOf), this.#theme);
  }

  /** Moves by so many entries, positive for older ones. */
  move(entries: number): void {
    this.#list.move(entries);
  }

  draw(columns: number): readonly string[] {
    const keys = this.#theme.dim("Search: Enter takes it, Ctrl+R goes to an older one, Esc leaves");
    return [...this.#list.draw(columns, Math.min(ROWS, Math.max(1, this.#found.length))), keys];
  }
}

const choiceOf = (text: string): Choice => ({ title: text.replace(/\s+/g, " ").trim(), details: "", remark: "" });
