import { isStopWord } from "./words.ts";

/** The number of every stop word: none of them is looked for beside other words. */
export const STOPPED = -1;

/** Terms that say when something was. */
const TIME_TERMS: ReadonlySet<string> = new Set(
  `yesterdai todai tonight tomorrow last next ago week weekend month year recent mondai tuesdai wednesdai thursdai fridai saturdai
  sundai januari februari march april mai june juli august septemb octob novemb decemb morn even night summer winter spring fall since`.split(
    /\s+/,
  ),
);

/** Numbers the terms of a memory, so that they are compared and counted quickly. Numbers begin at 0 and have no gaps. */
export class Vocabulary {
  readonly #prefix: string;
  readonly #numbers = new Map<string, number>();
  readonly #terms: string[] = [];

  /** What the index writes before each term of the memory. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get size(): number {
    return this.#terms.length;
  }

  /** The numbers of indexed terms between spaces. */
  numbers(indexed: string): Int32Array {
    return indexed === "" ? EMPTY : Int32Array.from(indexed.split(" "), (one) => this.#numberOf(one));
  }

  number(term: string): number {
    return this.#numberOf(this.#prefix + term);
  }

  term(number: number): string {
    return this.#terms[number] ?? "";
  }

  /** Whether one of the terms says when something was. */
  hasTime(numbers: Int32Array): boolean {
    return numbers.some((number) => TIME_TERMS.has(this.term(number)));
  }

  /** Whether one of the terms is a number. */
  hasNumber(numbers: Int32Array): boolean {
    return numbers.some((number) => isDigit(this.term(number).charCodeAt(0)));
  }

  #numberOf(indexed: string): number {
    const known = this.#numbers.get(indexed);
    if (known !== undefined) return known;
    const term = indexed.slice(this.#prefix.length);
    const number = isStopWord(term) ? STOPPED : this.#terms.push(term) - 1;
    this.#numbers.set(indexed, number);
    return number;
  }
}

const EMPTY = new Int32Array();

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
