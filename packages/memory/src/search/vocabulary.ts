import { isStopWord } from "./words.ts";

/** The number of every stop word. Stop words are not used in pairs. */
export const STOPPED = -1;

/** Terms that express a time. */
const TIME_TERMS: ReadonlySet<string> = new Set(
  `yesterdai todai tonight tomorrow last next ago week weekend month year recent mondai tuesdai wednesdai thursdai fridai saturdai
  sundai januari februari march april mai june juli august septemb octob novemb decemb morn even night summer winter spring fall since`.split(
    /\s+/,
  ),
);

/** Numbers the terms of a memory, for fast comparison and counting. Numbers start at 0 without gaps. */
export class Vocabulary {
  readonly #prefix: string;
  readonly #numbers = new Map<string, number>();
  readonly #terms: string[] = [];

  /** The prefix of the memory's terms in the index. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get size(): number {
    return this.#terms.length;
  }

  /** The numbers of indexed, space-separated terms. */
  numbers(indexed: string): Int32Array {
    return indexed === "" ? EMPTY : Int32Array.from(indexed.split(" "), (one) => this.#numberOf(one));
  }

  number(term: string): number {
    return this.#numberOf(this.#prefix + term);
  }

  term(number: number): string {
    return this.#terms[number] ?? "";
  }

  /** Whether one of the terms expresses a time. */
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
