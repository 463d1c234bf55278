import { isStopWord } from "./words.ts";

/** The number of every stop word: none of them is looked for beside other words. */
export const STOPPED = -1;

/** Numbers terms, so that they are compared and counted quickly. Numbers begin at 0 and have no gaps. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #terms: string[] = [];

  get size(): number {
    return this.#terms.length;
  }

  /** The number of a term, which it gets if it has none. */
  number(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    this.#numbers.set(term, this.#terms.length);
    return this.#terms.push(term) - 1;
  }

  /** The numbers of the terms of a text; `STOPPED` for stop words. */
  numbers(terms: readonly string[]): Int32Array {
    return Int32Array.from(terms, (term) => (isStopWord(term) ? STOPPED : this.number(term)));
  }

  term(number: number): string {
    return this.#terms[number] ?? "";
  }
}
