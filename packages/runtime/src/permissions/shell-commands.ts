/** A simple command of a text for the shell. */
export interface SimpleCommand {
  /** As it stands in the text, without the space around it. */
  readonly text: string;
  /** The same without quotes and backslashes. */
  readonly words: string;
}

/** What a text for the shell runs, as far as can be told without running it. */
export interface ShellCommands {
  /**
   * Whether it is nothing but simple commands, joined by `;`, `&`, `&&`, `||`, `|` or new lines: no expansion of variables,
   * no variable that is set, no command in another, no redirection, no group, no comment, no control character, no quote that is
   * left open.
   */
  readonly isPlain: boolean;
  /** All of them, in order, where it is plain; else what looks like one. */
  readonly commands: readonly SimpleCommand[];
}

/** Joins simple commands outside quotes. */
const JOINING = /[;&|\n]/;
/** Means more than itself outside quotes. */
const POWERFUL = /[<>(){}$`]/;
/** Means more than itself inside double quotes. */
const POWERFUL_QUOTED = /[$`]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/** A variable, or a part of one, that is set before a command and may change what that runs. */
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[.*\])?\+?=/s;

/** Takes a text for the shell apart, in one pass. What is not surely understood makes it not plain. */
export function shellCommands(text: string): ShellCommands {
  const reader = new ShellReader(text);
  const isPlain = reader.read() && !CONTROL.test(text);
  return { isPlain, commands: isPlain ? reader.commands : [...reader.commands, ...pieces(text)] };
}

/** All between signs that a shell might heed, for those who look for what must not run. */
function pieces(text: string): SimpleCommand[] {
  const found = text.split(/[;&|<>(){}$`"'\n\r]+/).map((piece) => piece.trim());
  return found.filter((piece) => piece !== "").map((piece) => ({ text: piece, words: piece }));
}

/** Without what a shell takes for space, which is less than JavaScript does. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

const isBlank = (sign: string | undefined): boolean => sign === " " || sign === "\t";

class ShellReader {
  readonly commands: SimpleCommand[] = [];
  readonly #text: string;
  #place = 0;
  #start = 0;
  #words = "";
  #isPlain = true;

  constructor(text: string) {
    this.#text = text;
  }

  /** Gives whether the text is plain. */
  read(): boolean {
    while (this.#place < this.#text.length) this.#readSign(this.#text.charAt(this.#place));
    this.#end();
    return this.#isPlain;
  }

  #readSign(sign: string): void {
    if (sign === "'") this.#readSingleQuoted();
    else if (sign === '"') this.#readDoubleQuoted();
    else if (sign === "\\") this.#readEscaped();
    else if (JOINING.test(sign)) this.#end();
    else if (POWERFUL.test(sign) || (sign === "#" && this.#isWordStart())) this.#refuse(sign);
    else this.#take(sign);
  }

  #take(sign: string): void {
    this.#words += sign;
    this.#place += 1;
  }

  #refuse(sign: string): void {
    this.#isPlain = false;
    this.#take(sign);
  }

  #readSingleQuoted(): void {
    const end = this.#text.indexOf("'", this.#place + 1);
    if (end === -1) this.#isPlain = false;
    const closed = end === -1 ? this.#text.length : end;
    this.#words += this.#text.slice(this.#place + 1, closed);
    this.#place = closed + 1;
  }

  #readDoubleQuoted(): void {
    this.#place += 1;
    for (let sign = this.#text.charAt(this.#place); sign !== '"'; sign = this.#text.charAt(this.#place)) {
      if (sign === "") {
        this.#isPlain = false;
        return;
      }
      if (sign === "\\") this.#readEscaped();
      else if (POWERFUL_QUOTED.test(sign)) this.#refuse(sign);
      else this.#take(sign);
    }
    this.#place += 1;
  }

  /**
   * A backslash at the end of a line joins it with the next. Behind a letter of more than a byte it belongs to that in some
   * character sets, and the shell reads by the user's.
   */
  #readEscaped(): void {
    const sign = this.#text.charAt(this.#place + 1);
    if (sign === "" || sign === "\n" || this.#text.charCodeAt(this.#place - 1) > 0x7f) this.#isPlain = false;
    this.#words += sign;
    this.#place += 2;
  }

  #isWordStart(): boolean {
    return this.#place === 0 || /[\s;&|]/.test(this.#text.charAt(this.#place - 1));
  }

  #end(): void {
    const text = trimmed(this.#text.slice(this.#start, this.#place));
    if (ASSIGNMENT.test(text)) this.#isPlain = false;
    if (text !== "") this.commands.push({ text, words: trimmed(this.#words) });
    this.#words = "";
    this.#place += 1;
    this.#start = this.#place;
  }
}
