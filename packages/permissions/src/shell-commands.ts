/** A simple command of a shell text. */
export interface SimpleCommand {
  /** Its text, trimmed. */
  readonly text: string;
  /** The text without trailing redirections that only join or drop outputs. */
  readonly plain: string;
  /** `plain` without quotes and backslashes. */
  readonly words: string;
}

/** The commands of a shell text that can be found without running it. */
export interface ShellCommands {
  /**
   * Whether it consists of simple commands only, joined by `;`, `&`, `&&`, `||`, `|` or new lines: no variables, assignments,
   * nested commands, groups, comments, control characters or open quotes, and no redirections except the ones that `plain` leaves
   * out. A quoted here-document of `cat` within double quotes counts as text.
   */
  readonly isPlain: boolean;
  /** The start of the first part that makes it not plain; undefined if it is plain. */
  readonly obstacle?: string;
  /** All commands in order if the text is plain; otherwise everything that looks like one. */
  readonly commands: readonly SimpleCommand[];
}

/** Joins simple commands outside quotes. */
const JOINING = /[;&|\n]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern looks for them.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/** An assignment before a command, which may change its effect. */
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[.*\])?\+?=/s;

/** Trailing redirections that access no file: `2>&1`, `> /dev/null`. */
const DROPPING = /(?:(?:[12]?>&[12]|(?:[12]?>>?|&>>?|<)[ \t]*\/dev\/null)(?:[ \t]+|(?=[;&|\n])|$)){1,4}(?=[;&|\n]|$)/y;

/** The space before a redirection, with its descriptor. */
const BEFORE_DROPPING = /(?<!\\)[ \t](?<number>[12]?)$/;

/** The beginning and the end of redirections in a text. */
interface Dropped {
  readonly from: number;
  readonly to: number;
}

/**
 * The redirections that start at an index of a text, in a command that begins at `start`; undefined if they do more than join or
 * drop outputs.
 */
function droppedAt(
  text: string,
  index: number,
  { start, isQuoted }: { readonly start: number; readonly isQuoted: boolean },
): Dropped | undefined {
  if (isQuoted || !/[<>&]/.test(text.charAt(index))) return undefined;
  const { number } = BEFORE_DROPPING.exec(text.slice(Math.max(start, index - 3), index))?.groups ?? {};
  if (number === undefined) return undefined;
  const dropping = new RegExp(DROPPING);
  const from = index - number.length;
  dropping.lastIndex = from;
  return dropping.test(text) ? { from, to: dropping.lastIndex } : undefined;
}

/**
 * A here-document whose text the shell leaves as it is, which `cat` only repeats: `$(cat <<'EOF'`, the text, `EOF` and `)`. Between
 * double quotes it is one word.
 */
const HERE_DOCUMENT =
  /\$\([ \t]*cat[ \t]+<<(?<tabs>-?)[ \t]*(?:'(?<single>\w+)'|"(?<double>\w+)"|\\(?<escaped>\w+))[ \t]*\n/y;

/** A part of a text that the shell takes as it is. */
interface Literal {
  readonly text: string;
  /** The index after it. */
  readonly end: number;
  /** Whether its end is missing. */
  readonly isOpen: boolean;
}

/** The text in single quotes, or in a here-document within double quotes, that starts at an index; undefined if none does. */
function literalAt(text: string, index: number, isQuoted: boolean): Literal | undefined {
  const sign = text.charAt(index);
  if (isQuoted) return sign === "$" ? hereDocumentAt(text, index) : undefined;
  if (sign !== "'") return undefined;
  const close = closeOf(text, index);
  return { text: text.slice(index + 1, close), end: close + 1, isOpen: close === text.length };
}

function hereDocumentAt(text: string, index: number): Literal | undefined {
  const opening = new RegExp(HERE_DOCUMENT);
  opening.lastIndex = index;
  const { tabs = "", single, double, escaped } = opening.exec(text)?.groups ?? {};
  const word = single ?? double ?? escaped;
  if (word === undefined) return undefined;
  // A line of the shell begins after a new line alone.
  const closing = new RegExp(`(?<=\\n)${tabs === "" ? "" : "\\t*"}${word}\\n[ \\t\\n]*\\)`, "g");
  closing.lastIndex = opening.lastIndex;
  const close = closing.exec(text);
  const body = text.slice(opening.lastIndex, close?.index);
  // The shell ends it at the first such line, whatever follows.
  const endsEarlier = body.split("\n").some((line) => (tabs === "" ? line : line.replace(/^\t+/, "")) === word);
  // Older versions of bash look for quotes and brackets in it.
  const isSafe = process.platform !== "darwin" || !/["'`()\\$]/.test(body);
  return close === null || endsEarlier || !isSafe ? undefined : { text: body, end: closing.lastIndex, isOpen: false };
}

/** The most characters of a part that make it recognizable. */
const SHOWN = 40;

/** Splits a shell text in one pass. Anything ambiguous makes it not plain. */
export function shellCommands(text: string): ShellCommands {
  const found: SimpleCommand[] = [];
  let obstacle = controlIn(text);
  let start = 0;
  let words = "";
  let dropped: Dropped | undefined;
  const refuseIf = (isUnsure: boolean, index: number): void => {
    if (isUnsure) obstacle ??= text.slice(index, index + SHOWN);
  };
  const end = (index: number): void => {
    const command = trimmed(text.slice(start, index));
    refuseIf(ASSIGNMENT.test(command), start);
    found.push({ text: command, plain: trimmed(text.slice(start, dropped?.from ?? index)), words: trimmed(words) });
    words = "";
    dropped = undefined;
    start = index + 1;
  };
  // A backslash with the next character, several characters that mean nothing but themselves, or one of the others.
  const parts = /\\(.?)|[^'"\\;&|\n<>(){}$`#]+|./gs;
  let isQuoted = false;
  for (let match = parts.exec(text); match; match = parts.exec(text)) {
    const { 0: part, 1: escaped, index } = match;
    const literal = literalAt(text, index, isQuoted);
    const before = text.charAt(index - 1);
    const redirected = droppedAt(text, index, { start, isQuoted });
    if (redirected !== undefined) {
      dropped = redirected;
      words = words.slice(0, words.length - (index - redirected.from));
      parts.lastIndex = redirected.to;
    } else if (literal !== undefined) {
      words += literal.text;
      refuseIf(literal.isOpen, index);
      parts.lastIndex = literal.end;
    } else if (escaped !== undefined) {
      words += escaped;
      refuseIf(!isSureEscape(escaped, before), index);
    } else if (part === '"') {
      isQuoted = !isQuoted;
    } else if (isJoining(part, isQuoted)) {
      end(index);
    } else {
      words += part;
      refuseIf(hasMeaning(part, { before, isQuoted }), index);
    }
  }
  end(text.length);
  refuseIf(isQuoted, text.lastIndexOf('"'));
  const commands = found.filter((command) => command.text !== "");
  if (obstacle === undefined) return { isPlain: true, commands };
  return { isPlain: false, obstacle, commands: [...commands, ...pieces(text)] };
}

/** The part of a text from its first control character on; undefined if it has none. */
function controlIn(text: string): string | undefined {
  const index = text.search(CONTROL);
  return index === -1 ? undefined : text.slice(index, index + SHOWN);
}

const isJoining = (part: string, isQuoted: boolean): boolean => !isQuoted && JOINING.test(part);

/**
 * Whether a backslash makes the next character literal. At the end of a line it joins the next one. After a multibyte character
 * it may be part of that character in some character sets, and the shell uses the user's.
 */
const isSureEscape = (escaped: string, before: string): boolean =>
  escaped !== "" && escaped !== "\n" && !(before > "\x7f");

/** The index at which the single quote at an index closes; the end of the text if it stays open. */
function closeOf(text: string, index: number): number {
  const close = text.indexOf("'", index + 1);
  return close === -1 ? text.length : close;
}

/** Whether a part has a special meaning to the shell, inside double quotes or not, depending on the character before it. */
const hasMeaning = (part: string, { before, isQuoted }: { before: string; isQuoted: boolean }): boolean =>
  isQuoted ? /[$`]/.test(part) : /[<>(){}$`]/.test(part) || (part === "#" && /^[\s;&|]?$/.test(before));

/**
 * The pieces between characters that may be special to a shell, quoted or not. Used to find denied commands even if another part
 * of the text hides where quotes end.
 */
function pieces(text: string): SimpleCommand[] {
  const found = text.split(/[;&|<>(){}`\n\r]+/).map((piece) => piece.trim());
  return found
    .filter((piece) => piece !== "")
    .map((piece) => ({ text: piece, plain: piece, words: withoutQuotes(piece) }));
}

/** Also splits at variables in a word, which may be blanks, as in `rm$IFS-r`. */
const withoutQuotes = (piece: string): string =>
  piece
    .replace(/\$?["']|\\/g, "")
    .replace(/(?<=[^\s$])\$(?:\w+|[@*#?!-])?/g, " ")
    .trim();

/** Trims the blanks of a shell, which are fewer than JavaScript's. */
const trimmed = (text: string): string => text.replace(/^[ \t]+/, "").replace(/(?<![ \t])[ \t]+$/, "");
