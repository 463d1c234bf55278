import { FileToolError } from "../permitted-file.ts";
import { CaseVariants } from "./case-variants.ts";

/**
 * A pattern in the words of both engines, which find the same lines with it. Both are for lines without their "\n"; a "\r" at the end of
 * one is not matched by chance: only what names it does.
 */
export interface SearchPattern {
  /** For `RegExp` with the flag u. Half a surrogate pair, which stands for bytes that are not UTF-8, is never matched. */
  readonly script: string;
  /** For ripgrep, with no flags. */
  readonly ripgrep: string;
}

const LONGEST = 1_000;

const TOKEN =
  /\\(?:[pP]\{[^}]*\}|[pP][A-Z]|u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|x\{[\da-fA-F]+\}|[\s\S])|\(\?(?:<(?![=!])[^>]*>|P<[^>]*>|[:=!]|<[=!]|[a-zA-Z^-]*[:)]?)?|\{\d+(?:,\d*)?\}|[\s\S]/gu;

/** What a class escape means, inside brackets. */
const CLASSES: Readonly<Record<string, string>> = {
  d: "0-9",
  w: "0-9A-Za-z_",
  s: "\\t\\v\\f \\u{A0}\\u{1680}\\u{2000}-\\u{200A}\\u{2028}\\u{2029}\\u{202F}\\u{205F}\\u{3000}",
};

const CONTROLS: Readonly<Record<string, number>> = { t: 9, v: 11, f: 12, r: 13, a: 7, e: 27, "0": 0 };

/**
 * Reads a pattern: the regular expressions that JavaScript and ripgrep have in common, for one line. `\d`, `\w`, `\s` and `\b`
 * mean ASCII, and a brace that counts nothing means itself. Throws `FileToolError`, which names what is not supported.
 */
export function searchPattern(pattern: string, ignoresCase: boolean): SearchPattern {
  if (pattern === "") throw new FileToolError("the pattern is empty");
  if (pattern.length > LONGEST) throw new FileToolError(`the pattern is longer than ${LONGEST} characters`);
  const flagged = pattern.startsWith("(?i)");
  const reader = new PatternReader(flagged ? pattern.slice(4) : pattern, ignoresCase || flagged);
  const { script, ripgrep } = reader.read();
  try {
    new RegExp(script, "u");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/^.*: /, "") : "";
    throw new FileToolError(`the pattern is not a regular expression: ${reason}`, { cause });
  }
  if (matchesInside(script)) throw unsupported("\\B with nothing beside it");
  return { script, ripgrep };
}

/** Whether it matches within a character of several bytes: ripgrep would find that, and `RegExp` would not. */
const matchesInside = (script: string): boolean => {
  const atSecond = new RegExp(script, "uy");
  atSecond.lastIndex = 1;
  return script.includes("\\B") && atSecond.test("\uDFFF\uDFFF\uDFFF");
};

const unsupported = (what: string): FileToolError =>
  new FileToolError(
    `the pattern uses ${what}, which this tool does not support; write it without, or use several searches`,
  );

class PatternReader {
  readonly #tokens: readonly string[];
  readonly #variants: CaseVariants | undefined;
  #script = "";
  #ripgrep = "";
  #next = 0;

  constructor(pattern: string, ignoresCase: boolean) {
    this.#tokens = pattern.match(TOKEN) ?? [];
    this.#variants = ignoresCase ? new CaseVariants() : undefined;
  }

  read(): { readonly script: string; readonly ripgrep: string } {
    while (this.#next < this.#tokens.length) this.#token(this.#tokens[this.#next++] ?? "");
    return { script: this.#script, ripgrep: this.#ripgrep };
  }

  #both(script: string, ripgrep = script): void {
    this.#script += script;
    this.#ripgrep += ripgrep;
  }

  #token(token: string): void {
    if (token.startsWith("(?")) this.#group(token);
    else if (token === "(") this.#both("(?:");
    else if (token === "[") this.#class();
    else if (token.startsWith("\\")) this.#escape(token);
    else if (token === "\n") throw unsupported("a line end: a pattern matches within one line");
    else if (token === ".") this.#set("^", []);
    else if (token === "$") this.#both("(?:\\r?$)");
    else if (/^[)|^*+?]$/.test(token) || /^\{\d/.test(token)) this.#both(token);
    else this.#literal(token);
  }

  #group(token: string): void {
    if (token === "(?=" || token === "(?!") throw unsupported("a lookahead");
    if (token === "(?<=" || token === "(?<!") throw unsupported("a lookbehind");
    if (token !== "(?:" && !/^\(\?P?</.test(token)) {
      throw unsupported(`the group ${token}; for the flag i use ignore_case`);
    }
    this.#both("(?:");
  }

  #escape(token: string): void {
    const letter = token[1] ?? "";
    const negation = letter === letter.toUpperCase() ? "^" : "";
    const named = CLASSES[letter.toLowerCase()];
    if (named !== undefined) this.#set(negation, [named]);
    else if (/[bB]/.test(letter)) this.#both(`\\${letter}`, `(?-u:\\${letter})`);
    else if (/[pP]/.test(letter)) this.#set(negation, [this.#property(token)]);
    else this.#literal(literalOf(token));
  }

  #literal(character: string): void {
    if (character === "\0") throw unsupported("a null character: only binary files have it");
    const variants = this.#variants?.of(character) ?? [character];
    if (variants.length > 1) this.#set("", variants.map(member));
    else this.#both(scriptLiteral(character), ripgrepLiteral(character));
  }

  #class(): void {
    const negation = this.#tokens[this.#next] === "^" ? "^" : "";
    if (negation) this.#next += 1;
    const members: string[] = [];
    for (let isFirst = true; ; isFirst = false) {
      const token = this.#tokens[this.#next++];
      if (token === undefined) throw new FileToolError("the pattern is not a regular expression: missing ]");
      if (token === "]" && !isFirst) break;
      if (token === "[" && this.#tokens[this.#next] === ":") throw unsupported("a class such as [:alpha:]");
      members.push(...this.#members(token));
    }
    this.#set(negation, members);
  }

  /** What a token inside brackets adds: a class or a range. A token of several characters, such as `(?`, is read as these. */
  #members(token: string): readonly string[] {
    const named = this.#named(token);
    if (named !== undefined) return [named];
    const characters = charactersOf(token);
    const first = characters.at(-1) ?? "";
    const before = characters.slice(0, -1).map(member);
    const [dash, end] = [this.#tokens[this.#next], this.#tokens[this.#next + 1]];
    if (dash !== "-" || end === undefined || end === "]") return [...before, member(first)];
    if (this.#named(end) !== undefined) throw unsupported("a range that ends in a class");
    this.#next += 2;
    const [last = "", ...rest] = charactersOf(end);
    if (last < first) {
      throw new FileToolError(`the pattern is not a regular expression: the range ${first}-${last} is reversed`);
    }
    return [...before, `${member(first)}-${member(last)}`, ...rest.map(member)];
  }

  #set(negation: string, members: readonly string[]): void {
    const all = members.flatMap((written) => this.#inAnyCase(written)).flatMap(withoutSurrogates);
    const script = all.join("");
    const ripgrep = script.replaceAll("\\u{", "\\x{");
    if (negation) this.#both(`[^\\n\\r\\u{D800}-\\u{DFFF}${script}]`, `[^\\n\\r${ripgrep}]`);
    else this.#both(`[${script}]`, `[${ripgrep}]`);
  }

  /** A member and those that differ from it only in their case, if that does not count. */
  #inAnyCase(written: string): readonly string[] {
    const range = rangeOf(written);
    if (this.#variants === undefined || range === undefined) return [written];
    const [first, last] = range;
    const variants =
      first === last ? this.#variants.of(String.fromCodePoint(first)) : this.#variants.ofRange(first, last);
    const isOutside = (character: string): boolean => {
      const code = character.codePointAt(0) ?? 0;
      return code < first || code > last;
    };
    return [written, ...[...new Set(variants)].filter(isOutside).map(member)];
  }

  /** The class that an escape means inside brackets; undefined for other tokens. */
  #named(token: string): string | undefined {
    if (!token.startsWith("\\")) return undefined;
    const letter = token[1] ?? "";
    if (letter === "p") return this.#property(token);
    if (/[DWSBP]/.test(letter)) throw unsupported(`${token} inside brackets`);
    return CLASSES[letter];
  }

  /** `\p{L}` or `\p{Lu}`; the names of others differ. */
  #property(token: string): string {
    const name = /^\\[pP]\{?(L|Lu|Ll|Lt|Lm|Lo|M|Mn|Mc|Me|N|Nd|Nl|No|P|S|Z|Zs|C)\}?$/.exec(token)?.[1];
    if (name === undefined)
      throw unsupported(`${token}; supported are \\p{L}, \\p{Lu}, \\p{N} and other general categories`);
    if (name === "C") return CONTROL;
    return this.#variants !== undefined && /^L[ult]$/.test(name) ? "\\p{Lu}\\p{Ll}\\p{Lt}" : `\\p{${name}}`;
  }
}

/** `\p{C}` without line ends and surrogates. */
const CONTROL = "\\u{0}-\\u{9}\\u{B}\\u{C}\\u{E}-\\u{1F}\\u{7F}-\\u{9F}\\p{Cf}\\p{Co}\\p{Cn}";

const escaped = (code: number): string => `\\u{${code.toString(16).toUpperCase()}}`;

/** A set's member as the escape of its code point, which means the same everywhere. */
const member = (character: string): string => escaped(character.codePointAt(0) ?? 0);

/** The first and the last code point of a member; undefined for a class. */
function rangeOf(written: string): readonly [number, number] | undefined {
  const [, first, last = first] = /^\\u\{([\dA-F]+)\}(?:-\\u\{([\dA-F]+)\})?$/.exec(written) ?? [];
  return first === undefined || last === undefined
    ? undefined
    : [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}

/** A member in one or two pieces, none of which has halves of surrogate pairs. */
function withoutSurrogates(written: string): readonly string[] {
  const [first, last] = rangeOf(written) ?? [0, 0];
  const isAcross = first < 0xd800 && last > 0xdfff;
  return isAcross ? [`${escaped(first)}-${escaped(0xd7ff)}`, `${escaped(0xe000)}-${escaped(last)}`] : [written];
}

/** The characters that a token inside brackets stands for. */
const charactersOf = (token: string): readonly string[] => {
  if (token === "\\b") return ["\b"];
  return token.startsWith("\\") ? [literalOf(token)] : [...token];
};

/** The character that an escape stands for. */
function literalOf(token: string): string {
  const letter = token[1] ?? "";
  if (token === "\\") throw new FileToolError("the pattern is not a regular expression: \\ at its end");
  if (letter === "n") throw unsupported("a line end: a pattern matches within one line");
  const control = CONTROLS[letter];
  if (control !== undefined) return String.fromCharCode(control);
  const digits = /^\\[ux]\{?([\da-fA-F]+)\}?$/.exec(token)?.[1];
  if (digits !== undefined) return codePoint(digits);
  if (/[1-9k]/.test(letter)) throw unsupported("a backreference");
  if (/[A-Za-z]/.test(letter)) throw unsupported(`\\${letter}`);
  return letter;
}

function codePoint(digits: string): string {
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw unsupported(`the code point ${digits}`);
  return String.fromCodePoint(code);
}

const scriptLiteral = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

const ripgrepLiteral = (text: string): string =>
  text
    .replaceAll(/[\\^$.*+?()[\]{}|#&~-]/g, "\\$&")
    .replaceAll(/\p{Cc}/gu, (control) => `\\x{${control.charCodeAt(0).toString(16)}}`);
