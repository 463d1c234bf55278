import type { Options, Parser, Token } from "acorn";

interface Piece {
  readonly start: number;
  readonly end: number;
  /** The label of a token's type, as acorn names it; empty for a comment. */
  readonly label: string;
}

const opening: readonly string[] = ["(", "[", "{", "${"];
const closing: readonly string[] = [")", "]", "}"];

/** Reads JavaScript token by token, as far as it is asked for, and knows which brackets are open. */
export class BracketReader {
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
