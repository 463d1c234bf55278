/** A final part of an arriving Markdown text, in order. */
export type MarkdownPiece =
  /** Whole blocks. */
  | { readonly type: "blocks"; readonly text: string }
  /** Whole items of a list that continues. */
  | { readonly type: "items"; readonly text: string }
  /** A code block begins. `language` may be empty. */
  | { readonly type: "code_start"; readonly language: string }
  | { readonly type: "code_line"; readonly text: string }
  | { readonly type: "code_end" };

/** The text after backticks contains none: otherwise they are code within a line. */
const FENCE = /^\s*(?<mark>`{3,}(?=[^`]*$)|~{3,})\s*(?<language>\S*)/;
const ITEM = /^(?:(?<bullet>[-*+])|(?<number>\d{1,9})(?<sign>[.)]))(?=\s+\S)/;

interface Fence {
  readonly mark: string;
  /** The opening line of a block within a list; absent for one that is handed out line by line. */
  readonly inner?: { readonly opening: string; readonly at: number };
}

interface List {
  readonly sign: string;
  /** The number of the next item. */
  readonly next: number;
}

/**
 * Splits arriving Markdown: what cannot change any more is returned once, the rest is kept. Blocks are final at the next one, items of a
 * list at the next item, code at the end of its line. Takes linear time.
 */
export class MarkdownStream {
  #lines: string[] = [];
  #line = "";
  #fence: Fence | undefined;
  #list: List | undefined;
  #blankFound = false;

  /** Adds a piece of text and returns what is now final; often nothing. */
  push(delta: string): readonly MarkdownPiece[] {
    const [first = "", ...others] = delta.split("\n");
    this.#line += first;
    const pieces: MarkdownPiece[] = [];
    for (const next of others) {
      pieces.push(...this.#endLine());
      this.#line = next;
    }
    return pieces;
  }

  /** Returns the rest and clears the stream. */
  end(): readonly MarkdownPiece[] {
    const isCode = this.#isInCode;
    const last = this.#line;
    const pieces: readonly MarkdownPiece[] = isCode
      ? [...(last === "" || isEndOf(this.#fence, last) ? [] : [codeLine(last)]), { type: "code_end" }]
      : blocksOf([...this.#lines, last].join("\n"));
    this.#lines = [];
    this.#line = "";
    this.#fence = undefined;
    this.#list = undefined;
    this.#blankFound = false;
    return pieces;
  }

  /** The end of the kept text: at most this many lines and characters; a code block that it starts in is opened again. */
  tail(lines: number, characters = 20_000): string {
    const first = Math.max(0, this.#lines.length - lines);
    const { opening = "", at = first } = this.#fence?.inner ?? {};
    const kept = [...this.#lines.slice(first), this.#line.slice(-characters)];
    return [...(at < first ? [opening] : []), ...kept].join("\n");
  }

  /** Whether the kept text is in a code block. */
  get isInFence(): boolean {
    return this.#fence !== undefined;
  }

  get #isInCode(): boolean {
    return this.#fence !== undefined && this.#fence.inner === undefined;
  }

  #endLine(): readonly MarkdownPiece[] {
    const line = this.#line;
    if (this.#isInCode) return this.#endCodeLine(line);
    const fence = this.#fence === undefined ? FENCE.exec(line)?.groups : undefined;
    if (fence !== undefined && /^\S/.test(line)) return this.#openCode(fence);
    const pieces = this.#piecesBefore(line);
    this.#lines.push(this.#numbered(line));
    this.#trackInnerFence(line);
    this.#blankFound = this.#fence === undefined && line.trim() === "";
    return pieces;
  }

  #endCodeLine(line: string): readonly MarkdownPiece[] {
    if (!isEndOf(this.#fence, line)) return [codeLine(line)];
    this.#fence = undefined;
    this.#blankFound = false;
    return [{ type: "code_end" }];
  }

  #openCode({ mark = "", language = "" }: Readonly<Record<string, string | undefined>>): readonly MarkdownPiece[] {
    this.#fence = { mark };
    this.#list = undefined;
    return [...this.#takeLines("blocks"), { type: "code_start", language: language.toLowerCase() }];
  }

  /** What is final because this line begins something new. */
  #piecesBefore(line: string): readonly MarkdownPiece[] {
    if (this.#fence !== undefined || !/^\S/.test(line)) return [];
    if (this.#blankFound) return this.#takeLines("blocks");
    return this.#list !== undefined && signOf(line) === this.#list.sign ? this.#takeLines("items") : [];
  }

  /** The line, with its true number if it is an item of a list whose start is final. */
  #numbered(line: string): string {
    const sign = signOf(line);
    if (sign === undefined || this.#fence !== undefined || this.#lines.length > 0) {
      if (/^\S/.test(line) && this.#lines.length === 0) this.#list = undefined;
      return line;
    }
    const number = this.#list?.sign === sign ? this.#list.next : Number(ITEM.exec(line)?.groups?.["number"] ?? 0);
    this.#list = { sign, next: number + 1 };
    return line.replace(/^\d+/, String(number));
  }

  #takeLines(type: "blocks" | "items"): readonly MarkdownPiece[] {
    const text = `${this.#lines.join("\n")}\n`;
    this.#lines = [];
    this.#blankFound = false;
    return text.trim() === "" ? [] : [{ type, text }];
  }

  /** Opens or closes a code block within a list. */
  #trackInnerFence(line: string): void {
    const mark = FENCE.exec(line)?.groups?.["mark"];
    if (this.#fence === undefined) {
      if (mark !== undefined) this.#fence = { mark, inner: { opening: line, at: this.#lines.length - 1 } };
    } else if (isEndOf(this.#fence, line)) {
      this.#fence = undefined;
    }
  }
}

const codeLine = (text: string): MarkdownPiece => ({ type: "code_line", text });

const blocksOf = (text: string): readonly MarkdownPiece[] => (text.trim() === "" ? [] : [{ type: "blocks", text }]);

function isEndOf(fence: Fence | undefined, line: string): boolean {
  const text = line.trim();
  return fence !== undefined && text.startsWith(fence.mark) && text === fence.mark.charAt(0).repeat(text.length);
}

/** The sign of an item of a list at the start of a line: a bullet, or what follows the number. */
function signOf(line: string): string | undefined {
  const { bullet, sign } = ITEM.exec(line)?.groups ?? {};
  return bullet ?? sign;
}
