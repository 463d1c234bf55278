/** A part of a shell text outside double quotes. */
const PARTS =
  /\\(?<escaped>[\s\S]?)|\$'(?<ansi>(?:[^'\\]+|\\[\s\S])*)'?|'(?<literal>[^']*)'?|(?<quote>\$?")|(?<open>[$<>]?\()|(?<close>[)`])|(?<redirection>(?:\d+|\{[A-Za-z_]\w*(?:\[\w*\])?\})?(?:&>>?|<<<|<<-?|<>|>>|>\||[<>]&?))|(?<joining>[;&|\n]+)|(?<blank>[ \t\r]+)|(?<comment>(?<=^|[\s;&|()`])#[^\n]*)|[^\\'"$()`<>;&|\s#]+|[\s\S]/y;

/** A part of a shell text inside double quotes. */
const QUOTED_PARTS = /\\(?<escaped>[\s\S]?)|(?<quote>")|(?<open>\$\()|(?<close>`)|[^\\"$`]+|[\s\S]/y;

/**
 * The commands of a shell text, each as its words without quotes, backslashes, redirections and comments. Includes commands in
 * `$(…)`, backquotes, groups and quotes. A guess, used to find denied commands.
 */
export function shellWords(text: string): readonly (readonly string[])[] {
  const reader = new WordReader();
  const [outside, inside] = [new RegExp(PARTS), new RegExp(QUOTED_PARTS)];
  let index = 0;
  while (index < text.length) {
    const parts = reader.isQuoted ? inside : outside;
    parts.lastIndex = index;
    const match = parts.exec(text);
    if (match === null) break;
    reader.take(match);
    index = parts.lastIndex;
  }
  return reader.finished();
}

/** A command that continues after a nested one. */
interface OuterCommand {
  readonly words: string[];
  readonly word: string | undefined;
  readonly isQuoted: boolean;
  readonly end: ")" | "`";
}

class WordReader {
  isQuoted = false;
  readonly #commands: (readonly string[])[] = [];
  readonly #outer: OuterCommand[] = [];
  #words: string[] = [];
  #word: string | undefined;
  /** Whether the next word is the file of a redirection. */
  #isRedirected = false;

  take({ 0: part, groups = {} }: RegExpExecArray): void {
    const { escaped, ansi, literal, quote, open, close, redirection, joining, blank, comment } = groups;
    if (escaped !== undefined) this.#add(escaped === "\n" ? undefined : escaped);
    else if (ansi !== undefined) this.#add(ansiText(ansi));
    else if (quote !== undefined) this.#turnQuotes();
    else if (open !== undefined) this.#open(open);
    else if (close !== undefined) this.#close(close);
    else if (redirection !== undefined) this.#redirect();
    else if (joining !== undefined) this.#endCommand();
    else if (blank !== undefined) this.#endWord();
    else if (comment === undefined) this.#add(literal ?? part);
  }

  finished(): readonly (readonly string[])[] {
    this.#endCommand();
    while (this.#outer.length > 0) {
      this.#leave();
      this.#endCommand();
    }
    return this.#commands;
  }

  #add(text: string | undefined): void {
    if (text !== undefined) this.#word = (this.#word ?? "") + text;
  }

  #turnQuotes(): void {
    this.isQuoted = !this.isQuoted;
    this.#add("");
  }

  /** The words before a group are not a command, as in `f() …` and `case x in (a) …`. */
  #open(sign: string): void {
    if (sign === "(") this.#endCommand();
    this.#enter(")");
  }

  #close(sign: string): void {
    if (this.#outer.at(-1)?.end === sign) {
      this.#endCommand();
      this.#leave();
    } else if (sign === "`") this.#enter(sign);
    else this.#endCommand();
  }

  #enter(end: OuterCommand["end"]): void {
    this.#outer.push({ words: this.#words, word: this.#word, isQuoted: this.isQuoted, end });
    this.#words = [];
    this.#word = undefined;
    this.isQuoted = false;
  }

  #leave(): void {
    const outer = this.#outer.pop();
    this.#words = outer?.words ?? [];
    this.#word = outer?.word;
    this.isQuoted = outer?.isQuoted ?? false;
  }

  #redirect(): void {
    this.#endWord();
    this.#isRedirected = true;
  }

  #endWord(): void {
    if (this.#word === undefined) return;
    if (!this.#isRedirected) this.#words.push(this.#word);
    this.#isRedirected = false;
    this.#word = undefined;
  }

  #endCommand(): void {
    this.#endWord();
    this.#isRedirected = false;
    if (this.#words.length > 0) this.#commands.push(this.#words);
    this.#words = [];
  }
}

/** The value of the text in `$'…'`. Escapes of control characters, which occur in no program's name, stay as they are. */
const ansiText = (text: string): string =>
  text.replace(
    /\\(?:x([\dA-Fa-f]{1,2})|u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,8})|([0-7]{1,3})|([\s\S]))/g,
    (_match, ...[byte, unit, point, octal, letter]: readonly (string | undefined)[]) =>
      letter ?? characterOf(Number.parseInt(byte ?? unit ?? point ?? octal ?? "", octal === undefined ? 16 : 8)),
  );

const characterOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "");
