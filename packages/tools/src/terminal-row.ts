/** A line of a terminal. Columns count characters. */
export class TerminalRow {
  #text = "";
  #length = 0;
  /** Its characters one by one, after its first change. */
  #cells: string[] | undefined;

  get length(): number {
    return this.#cells?.length ?? this.#length;
  }

  /** Its text. */
  get text(): string {
    return this.#cells?.join("") ?? this.#text;
  }

  /** Its text without trailing blanks, which programs use to overwrite. */
  toString(): string {
    return this.#cells === undefined ? this.#text : this.text.trimEnd();
  }

  /** Overwrites text from a column on, and returns the column after it. */
  write(column: number, text: string): number {
    if (text === "") return column;
    if (this.#cells === undefined && column === this.#length) {
      this.#text += text;
      this.#length += countOf(text);
      return this.#length;
    }
    const cells = this.#changeable();
    let at = column;
    while (cells.length < at) cells.push(" ");
    for (const character of text) {
      cells[at] = character;
      at += 1;
    }
    return at;
  }

  /** Erases from a column on (0), up to it (1), or everything (2). */
  erase(column: number, part: number): void {
    if (this.length === 0) return;
    const cells = this.#changeable();
    if (part === 2) cells.length = 0;
    else if (part === 0) cells.length = Math.min(cells.length, column);
    else if (part === 1) this.blank(0, column + 1);
  }

  /** Writes blanks over the characters in a range. */
  blank(start: number, end: number): void {
    const cells = this.#changeable();
    cells.fill(" ", start, Math.min(end, cells.length));
  }

  /** Removes characters; the rest moves left. */
  remove(column: number, count: number): void {
    this.#changeable().splice(column, count);
  }

  #changeable(): string[] {
    this.#cells ??= Array.from(this.#text);
    this.#text = "";
    return this.#cells;
  }
}

const SURROGATES = /[\ud800-\udbff]/;

const countOf = (text: string): number => (SURROGATES.test(text) ? Array.from(text).length : text.length);
