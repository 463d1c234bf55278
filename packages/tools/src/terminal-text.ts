import { TerminalRow } from "./terminal-row.ts";

/** The most lines that a program can still change, as several progress bars do. */
const CHANGEABLE = 100;
/** The length after which the start of a line can no longer be changed, in characters. */
const MAX_LINE = 16_384;
/** The longest escape sequence, in characters. */
const MAX_SEQUENCE = 256;

/**
 * Control characters: bell, backspace, line end, return, shifts of the character set, escape, and the one-character start of a
 * control sequence.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const CONTROL = /[\u0007\u0008\n\r\u000e\u000f\u001b\u009b]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const EDITING = /[\u0007\u0008\r\u000e\u000f\u001b\u009b]/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const COLOUR = /\u001b\[[\d;:]*m/g;

/** A control sequence: parameters, and the letter of its function. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const SEQUENCE = /(?:\u001b\[|\u009b)([0-?]*)([ -/]*)([@-~])/y;
/** Any other escape sequence, such as for a character set. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const ESCAPE = /\u001b([ -/]*)([0-~])/y;
/** The start of either at the end of a chunk. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const UNFINISHED = /(?:\u001b(?:\[[0-?]*[ -/]*|[ -/]*)?|\u009b[0-?]*[ -/]*)$/y;

/** The characters after an escape that start a string for the terminal: a title, a link, a picture. */
const STRINGS = "]P_^X";
/** The end of such a string; a line end also ends it, so that little is lost if the end is missing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const STRING_END = /\u0007|\u001b\\|\u009c|[\u0018\u001a]|(?=[\n\u001b])/g;

/**
 * Converts a program's terminal output to the text that finally shows: without escape sequences, and each line in its last state.
 * Takes chunks that are cut anywhere, in constant memory. Does not wrap lines.
 */
export class TerminalText {
  #rows = [new TerminalRow()];
  #row = 0;
  #column = 0;
  #saved = { row: 0, column: 0 };
  /** The start of an incomplete sequence. */
  #unfinished = "";
  #isInString = false;
  #committed: string[] = [];

  /** Takes the next chunk, and returns the text that can no longer change. */
  add(piece: string): string {
    const text = this.#unfinished + piece;
    this.#unfinished = "";
    // Most output has only lines and colours.
    const plain = text.replaceAll(COLOUR, "");
    if (!this.#isInString && this.#isAtEnd() && !EDITING.test(plain)) this.#append(plain);
    else this.#read(text);
    return this.#take();
  }

  /** Returns the rest of the text at the end of the output. */
  end(): string {
    const shown = this.#rows.map(String);
    while (shown.length > this.#row + 1 && shown.at(-1) === "") shown.pop();
    this.#rows = [new TerminalRow()];
    this.#move(0, 0);
    return shown.join("\n");
  }

  #take(): string {
    const text = this.#committed.join("");
    this.#committed = [];
    return text;
  }

  #isAtEnd(): boolean {
    return this.#row === this.#rows.length - 1 && this.#column === this.#current.length;
  }

  get #current(): TerminalRow {
    const row = this.#rows[this.#row] ?? new TerminalRow();
    this.#rows[this.#row] = row;
    return row;
  }

  /** Adds text without editing sequences; only its last lines can still change. */
  #append(text: string): void {
    let start = text.length;
    for (let line = 0; line < CHANGEABLE && start > 0; line += 1) start = text.lastIndexOf("\n", start - 1);
    if (start > 0) {
      this.#committed.push(this.#rows.map(String).join("\n"), text.slice(0, start + 1));
      this.#rows = [new TerminalRow()];
      this.#move(0, 0);
    }
    for (const [index, line] of text
      .slice(Math.max(0, start > 0 ? start + 1 : 0))
      .split("\n")
      .entries()) {
      if (index > 0) this.#newLine();
      this.#write(line);
    }
  }

  #read(text: string): void {
    let at = 0;
    while (at < text.length) {
      if (this.#isInString) {
        at = this.#skipString(text, at);
        continue;
      }
      CONTROL.lastIndex = at;
      const found = CONTROL.exec(text)?.index ?? text.length;
      if (found > at) this.#write(text.slice(at, found));
      if (found === text.length) return;
      at = this.#control(text, found);
    }
  }

  #skipString(text: string, at: number): number {
    STRING_END.lastIndex = at;
    const end = STRING_END.exec(text);
    if (end === null) return text.length;
    // Only the next character shows whether an escape ends it.
    if (text[end.index] === "\u001b" && end.index === text.length - 1) {
      this.#unfinished = "\u001b";
      return text.length;
    }
    this.#isInString = false;
    return end.index + end[0].length;
  }

  /** Applies a control character or sequence, and returns where the text continues. */
  #control(text: string, at: number): number {
    const character = text[at];
    if (character === "\u001b" || character === "\u009b") return this.#escape(text, at);
    if (character === "\n") this.#newLine();
    else if (character === "\r") this.#column = 0;
    else if (character === "\b") this.#column = Math.max(0, this.#column - 1);
    return at + 1;
  }

  #escape(text: string, at: number): number {
    if (text[at] === "\u001b" && STRINGS.includes(text[at + 1] ?? "\n")) {
      this.#isInString = true;
      return at + 2;
    }
    SEQUENCE.lastIndex = at;
    const sequence = SEQUENCE.exec(text);
    if (sequence !== null) {
      const [whole, parameters = "", between, letter = ""] = sequence;
      if (between === "") this.#edit(letter, parameters);
      return at + whole.length;
    }
    UNFINISHED.lastIndex = at;
    if (text.length - at < MAX_SEQUENCE && UNFINISHED.test(text)) {
      this.#unfinished = text.slice(at);
      return text.length;
    }
    ESCAPE.lastIndex = at;
    const [whole = text[at] ?? "", between, letter = ""] = ESCAPE.exec(text) ?? [];
    if (between === "") this.#editPlainly(letter);
    return at + whole.length;
  }

  #editPlainly(letter: string): void {
    if (letter === "7") this.#saved = { row: this.#row, column: this.#column };
    else if (letter === "8") this.#move(this.#saved.row, this.#saved.column);
    else if (letter === "M") this.#move(this.#row - 1, this.#column);
    else if (letter === "D") this.#move(this.#row + 1, this.#column);
    else if (letter === "E") this.#newLine();
  }

  #edit(letter: string, parameters: string): void {
    const [first = 0, second = 0] = parameters.split(";").map((number) => Number.parseInt(number, 10) || 0);
    const count = Math.min(Math.max(1, first), MAX_LINE);
    const [rows, columns] = MOVES[letter] ?? [];
    if (rows !== undefined && columns !== undefined) {
      this.#move(this.#row + count * rows, columns === "first" ? 0 : this.#column + count * columns);
    } else if (letter === "G") this.#move(this.#row, count - 1);
    // An absolute screen position is unknown, so text written there comes last.
    else if (letter === "H" || letter === "f") this.#startLast(Math.max(1, second) - 1);
    else if (letter === "s" && parameters === "") this.#editPlainly("7");
    else if (letter === "u" && parameters === "") this.#editPlainly("8");
    else this.#erase(letter, first, count);
  }

  #erase(letter: string, part: number, count: number): void {
    if (letter === "K") this.#current.erase(this.#column, part);
    else if (letter === "X") this.#current.blank(this.#column, this.#column + count);
    else if (letter === "P") this.#current.remove(this.#column, count);
    else if (letter === "J") this.#eraseScreen(part);
  }

  #eraseScreen(part: number): void {
    if (part === 1) return;
    if (part > 1) {
      this.#startLast(0);
      return;
    }
    this.#current.erase(this.#column, 0);
    for (const row of this.#rows.slice(this.#row + 1)) row.erase(0, 2);
  }

  #startLast(column: number): void {
    this.#row = this.#rows.length - 1;
    if (this.#current.length > 0) this.#newLine();
    this.#move(this.#row, column);
  }

  #move(row: number, column: number): void {
    this.#row = Math.max(0, Math.min(row, this.#rows.length - 1));
    this.#column = Math.max(0, Math.min(column, MAX_LINE));
  }

  #write(text: string): void {
    const isLast = this.#row === this.#rows.length - 1;
    const row = this.#current;
    this.#column = row.write(this.#column, isLast ? text : text.slice(0, MAX_LINE - this.#column));
    if (!isLast || row.length <= MAX_LINE) return;
    const before = this.#rows.slice(0, -1).map((each) => `${each}\n`);
    this.#committed.push(...before, row.text);
    this.#rows = [new TerminalRow()];
    this.#move(0, 0);
  }

  #newLine(): void {
    this.#row += 1;
    this.#column = 0;
    if (this.#row < this.#rows.length) return;
    this.#rows.push(new TerminalRow());
    if (this.#rows.length <= 2 * CHANGEABLE) return;
    const settled = this.#rows.splice(0, this.#rows.length - CHANGEABLE);
    this.#committed.push(...settled.map((each) => `${each}\n`));
    this.#row = this.#rows.length - 1;
    this.#saved = { ...this.#saved, row: Math.max(0, this.#saved.row - settled.length) };
  }
}

/** How sequences move the cursor: rows and columns per count, or to the first column. */
const MOVES: Readonly<Record<string, readonly [rows: number, columns: number | "first"]>> = {
  A: [-1, 0],
  B: [1, 0],
  C: [0, 1],
  D: [0, -1],
  E: [1, "first"],
  F: [-1, "first"],
  a: [0, 1],
  e: [1, 0],
};
