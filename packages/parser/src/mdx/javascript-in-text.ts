import { isRecord } from "@mdx-ai/base";
import { getLineInfo, type Node, type Options, Parser, type Token } from "acorn";
import jsx from "acorn-jsx";

const JsxParser = Parser.extend(jsx());
const options: Options = { ecmaVersion: 2024, sourceType: "module" };

/** Tokens that all tries to parse JavaScript in one text may read: what takes longer tries again and again. */
const mostTokens = 1_000_000;
/** Of a syntax tree of JavaScript. */
const mostLevels = 1_000;

interface Place {
  readonly offset: number;
}

interface ExpressionKind {
  /** Whether it is on lines of its own. */
  readonly flow: boolean;
  /** Whether it is the `...` among the attributes of a tag. */
  readonly spread: boolean;
}

/** Where an expression's closing brace is, or why there is none; undefined if the text alone does not say. */
type ExpressionEnd = { readonly end: number } | { readonly error: LocatedError } | undefined;

interface LocatedError {
  readonly message: string;
  readonly pos: number;
  readonly loc: { readonly line: number; readonly column: number };
}

/**
 * Acorn for the expressions and modules of one text. The Markdown parser reads character by character and tries each brace or
 * blank line that may end the JavaScript; this one knows the text and finds the end in one pass. The patches of the parser's
 * packages (`patches/`) ask it.
 */
export class JavaScriptInText {
  /** Both throw `TooComplexError` besides acorn's own errors. */
  readonly parse: typeof Parser.parse = (input, given) => this.#shallow(JsxParser.parse(input, given));
  readonly parseExpressionAt: typeof Parser.parseExpressionAt = (input, position, given) =>
    this.#shallow(JsxParser.parseExpressionAt(input, position, given));
  readonly #text: string;
  readonly #ends = new Map<number, ExpressionEnd>();
  #paragraph = { start: 0, end: 0 };
  #tokens = 0;
  /** Where the JavaScript starts that is parsed. */
  #start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The end of the expression whose first character is at an offset. Throws `TooComplexError`. */
  readonly endOfExpression = ({ offset }: Place, kind: ExpressionKind): ExpressionEnd => {
    const key = offset * 2 + (kind.flow ? 1 : 0);
    if (!this.#ends.has(key)) this.#ends.set(key, this.#findEnd(offset, kind));
    return this.#ends.get(key);
  };

  /** Says of offsets, in rising order, whether a bracket of the module code that starts at an offset is open there. */
  readonly brackets = (start: number): ((offset: number) => boolean) => {
    const reader = new BracketReader(JsxParser.tokenizer.bind(JsxParser), this.#text.slice(start));
    return (offset) => reader.isOpenAt(offset - start);
  };

  /** Counts a try that starts at a position. Throws `TooComplexError` if there were too many. */
  readonly spend = (tokens: number, { offset }: Place): void => {
    this.#start = offset;
    this.#tokens += tokens;
    if (this.#tokens > mostTokens) throw new TooComplexError("the JavaScript here takes too long to read", offset);
  };

  #findEnd(offset: number, { flow, spread }: ExpressionKind): ExpressionEnd {
    const last = this.#text.lastIndexOf("}", flow ? this.#text.length : this.#paragraphEnd(offset));
    if (this.#text[offset - 1] !== "{" || last < offset) return undefined;
    let start = afterBlank(this.#text, offset);
    if (this.#text[start] === "}") return { end: start };
    if (spread && !this.#text.startsWith("...", start)) return undefined;
    if (spread) start += 3;
    this.#start = offset - 1;
    const found = this.#parsed(start, last);
    // In a block quote the lines start with ">", which is no JavaScript.
    const seen = this.#text.slice(offset, "end" in found ? found.end : found.error.pos + 1);
    return /[\r\n][ \t]*>/.test(seen) ? undefined : found;
  }

  #parsed(start: number, last: number): NonNullable<ExpressionEnd> {
    try {
      const { end } = this.parseExpressionAt(this.#text.slice(start, last), 0, options);
      const brace = afterBlank(this.#text, start + end);
      if (this.#text[brace] === "}") return { end: brace };
      return { error: this.#located("Unexpected content after expression", start + end) };
    } catch (error) {
      if (error instanceof TooComplexError) throw error;
      if (error instanceof RangeError) throw this.#tooDeep();
      const position = isRecord(error) && typeof error["pos"] === "number" ? error["pos"] : 0;
      return { error: this.#located(error instanceof Error ? error.message : String(error), start + position) };
    }
  }

  /** What walks the tree later recurses into it. */
  #shallow<Tree extends Node>(tree: Tree): Tree {
    if (tree.end - tree.start > mostLevels && levelsOf(tree) > mostLevels) throw this.#tooDeep();
    return tree;
  }

  #tooDeep(): TooComplexError {
    return new TooComplexError("the JavaScript is nested too deep", this.#start);
  }

  #located(message: string, offset: number): LocatedError {
    return { message: message.replace(/ \(\d+:\d+\)$/, ""), pos: offset, loc: getLineInfo(this.#text, offset) };
  }

  #paragraphEnd(offset: number): number {
    if (offset < this.#paragraph.start || offset >= this.#paragraph.end) {
      const blank = /(?:\r\n?|\n)[ \t>]*[\r\n]/g;
      blank.lastIndex = offset;
      this.#paragraph = { start: offset, end: blank.exec(this.#text)?.index ?? this.#text.length };
    }
    return this.#paragraph.end;
  }
}

/** Counts level by level, since recursion would end with the stack. */
function levelsOf(tree: Node): number {
  let level: readonly unknown[] = [tree];
  let count = 0;
  for (; level.length > 0 && count <= mostLevels; count++) {
    level = level.flatMap((node) => (typeof node === "object" && node !== null ? Object.values(node) : []));
  }
  return count;
}

/** The offset after white space and comments. */
function afterBlank(text: string, from: number): number {
  const blank = /\s+|\/\*[\s\S]*?\*\/|\/\/[^\r\n]*[\r\n]/y;
  let offset = from;
  do {
    blank.lastIndex = offset;
    offset += blank.exec(text)?.[0].length ?? 0;
  } while (blank.lastIndex > 0);
  return offset;
}

/** A text that nests or repeats so much that reading it would take too long. */
export class TooComplexError extends Error {
  override readonly name = "TooComplexError";
  /** Where, in UTF-16 code units of the text. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

interface Piece {
  readonly start: number;
  readonly end: number;
  /** The label of a token's type, as acorn names it; empty for a comment. */
  readonly label: string;
}

const opening: readonly string[] = ["(", "[", "{", "${"];
const closing: readonly string[] = [")", "]", "}"];

/** Reads JavaScript token by token, as far as it is asked for, and knows which brackets are open. */
class BracketReader {
  readonly #tokens: ReturnType<typeof Parser.tokenizer>;
  /** Read, but not yet passed. */
  readonly #pieces: Piece[] = [];
  /** Around the first of the pieces. */
  readonly #open: string[] = [];

  constructor(tokenizer: typeof Parser.tokenizer, text: string) {
    const onComment: Options["onComment"] = (_isBlock, _text, start, end) => {
      this.#pieces.push({ start, end, label: "" });
    };
    this.#tokens = tokenizer(text, { ecmaVersion: 2024, sourceType: "module", onComment });
  }

  /**
   * Whether a bracket, a template or a comment is open at an offset, which is not below those that were asked for before.
   * False after what is no JavaScript.
   */
  isOpenAt(offset: number): boolean {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (next.end > offset) return this.#open.length > 0 || next.start < offset;
      this.#pass(next);
      this.#pieces.shift();
    }
    return false;
  }

  #next(): Piece | undefined {
    if (this.#pieces.length === 0) this.#pieces.push(...this.#read());
    return this.#pieces[0];
  }

  #read(): readonly Piece[] {
    try {
      const { start, end, type }: Token = this.#tokens.getToken();
      return type.label === "eof" ? [] : [{ start, end, label: type.label }];
    } catch {
      return [];
    }
  }

  #pass({ label }: Piece): void {
    const endsTemplate = label === "`" && this.#open.at(-1) === label;
    if (endsTemplate || closing.includes(label)) this.#open.pop();
    else if (label === "`" || opening.includes(label)) this.#open.push(label);
  }
}
