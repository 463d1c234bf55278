/** A simple command of a shell text. */
export interface SimpleCommand {
  /** As in the text, without the space around it. */
  readonly text: string;
  /** The same without quotes and backslashes. */
  readonly words: string;
}

/** The commands of a shell text, as far as they are known without running it. */
export interface ShellCommands {
  /**
   * Whether it is nothing but simple commands, joined by `;`, `&`, `&&`, `||`, `|` or new lines: without variables,
   * assignments, nested commands, redirections, groups, comments, control characters and open quotes.
   */
  readonly isPlain: boolean;
  /** All of them, in order, if the text is plain; else everything that looks like one. */
  readonly commands: readonly SimpleCommand[];
}

/** Joins simple commands outside quotes. */
const JOINING = /[;&|\n]/;
/** Means more than itself outside quotes. */
const POWERFUL = /[<>(){}$`]/;
/** Means more than itself inside double quotes. */
const POWERFUL_QUOTED = /[$`]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern looks for them.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/** An assignment before a command, which may change what that runs. */
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[.*\])?\+?=/s;

/** Splits a shell text in one pass. Anything that is not surely understood makes it not plain. */
export function shellCommands(text: string): ShellCommands {
  const reader = new ShellReader(text);
  const isPlain = reader.read() && !CONTROL.test(text);
  return { isPlain, commands: isPlain ? reader.commands : [...reader.commands, ...pieces(text)] };
}

/** Everything between characters that may mean something to a shell, in the search for what must not run. */
function pieces(text: string): SimpleCommand[] {
  const found = text.split(/[;&|<>(){}$`"'\n\r]+/).map((piece) => piece.trim());
  return found.filter((piece) => piece !== "").map((piece) => ({ text: piece, words: piece }));
}

/** Without blanks at its ends; a shell has fewer of them than JavaScript. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

const isBlank = (character: string | undefined): boolean => character === " " || character === "\t";

class ShellReader {
  readonly commands: SimpleCommand[] = [];
  readonly #text: string;
  #index = 0;
  #start = 0;
  #words = "";
  #isPlain = true;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns whether the text is plain. */
  read(): boolean {
    while (this.#index < this.#text.length) this.#readCharacter(this.#text.charAt(this.#index));
    this.#end();
    return this.#isPlain;
  }

  #readCharacter(character: string): void {
    if (character === "'") this.#readSingleQuoted();
    else if (character === '"') this.#readDoubleQuoted();
    else if (character === "\\") this.#readEscaped();
    else if (JOINING.test(character)) this.#end();
    else if (POWERFUL.test(character) || (character === "#" && this.#isWordStart())) this.#refuse(character);
    else this.#take(character);
  }

  #take(character: string): void {
    this.#words += character;
    this.#index += 1;
  }

  #refuse(character: string): void {
    this.#isPlain = false;
    this.#take(character);
  }

  #readSingleQuoted(): void {
    const end = this.#text.indexOf("'", this.#index + 1);
    if (end === -1) this.#isPlain = false;
    const closed = end === -1 ? this.#text.length : end;
    this.#words += this.#text.slice(this.#index + 1, closed);
    this.#index = closed + 1;
  }

  #readDoubleQuoted(): void {
    this.#index += 1;
    for (
      let character = this.#text.charAt(this.#index);
      character !== '"';
      character = this.#text.charAt(this.#index)
    ) {
      if (character === "") {
        this.#isPlain = false;
        return;
      }
      if (character === "\\") this.#readEscaped();
      else if (POWERFUL_QUOTED.test(character)) this.#refuse(character);
      else this.#take(character);
    }
    this.#index += 1;
  }

  /**
   * A backslash at the end of a line joins it with the next. After a character of several bytes it belongs to that in some
   * character sets, and the shell uses the user's.
   */
  #readEscaped(): void {
    const character = this.#text.charAt(this.#index + 1);
    if (character === "" || character === "\n" || this.#text.charCodeAt(this.#index - 1) > 0x7f) this.#isPlain = false;
    this.#words += character;
    this.#index += 2;
  }

  #isWordStart(): boolean {
    return this.#index === 0 || /[\s;&|]/.test(this.#text.charAt(this.#index - 1));
  }

  #end(): void {
    const text = trimmed(this.#text.slice(this.#start, this.#index));
    if (ASSIGNMENT.test(text)) this.#isPlain = false;
    if (text !== "") this.commands.push({ text, words: trimmed(this.#words) });
    this.#words = "";
    this.#index += 1;
    this.#start = this.#index;
  }
}
