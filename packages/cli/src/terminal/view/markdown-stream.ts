const fenceStart = /^\s*(`{3,}|~{3,})/;

/** Whether a text has a line that may begin a block of code. */
export const hasFence = (markdown: string): boolean => /^\s*(?:`{3}|~{3})/m.test(markdown);

interface Fence {
  readonly mark: string;
  /** The line that opens it, with the language. */
  readonly opening: string;
  /** Index in the lines that are kept. */
  readonly line: number;
}

/**
 * Markdown that arrives in pieces. What can no longer change, whole blocks outside fences, is handed out once; the rest
 * is kept. Costs no more than the text is long.
 */
export class MarkdownStream {
  #lines: string[] = [];
  #line = "";
  #fence: Fence | undefined;
  #blankFound = false;

  /** Whether a block of code is open. */
  get isInFence(): boolean {
    return this.#fence !== undefined;
  }

  /** The Markdown that is finished with this piece; often none. */
  push(delta: string): string {
    const [first = "", ...others] = delta.split("\n");
    this.#line += first;
    let finished = "";
    for (const next of others) {
      finished += this.#endLine();
      this.#line = next;
    }
    return finished;
  }

  /** All that was not handed out yet, which empties the stream. */
  end(): string {
    const rest = [...this.#lines, this.#line].join("\n");
    this.#lines = [];
    this.#line = "";
    this.#fence = undefined;
    this.#blankFound = false;
    return rest;
  }

  /** The end of what is kept: at most so many lines and, of the newest, characters; an open fence is opened again. */
  tail(lines: number, characters = 20_000): string {
    const first = Math.max(0, this.#lines.length - lines);
    const kept = [...this.#lines.slice(first), this.#line.slice(-characters)];
    const opened = this.#fence !== undefined && this.#fence.line < first ? [this.#fence.opening] : [];
    return [...opened, ...kept].join("\n");
  }

  #endLine(): string {
    const line = this.#line;
    const finished = this.#blankFound && /^\S/.test(line) ? this.#takeLines() : "";
    this.#lines.push(line);
    this.#fence = fenceAfter(line, this.#fence, this.#lines.length - 1);
    this.#blankFound = this.#fence === undefined && line.trim() === "";
    return finished;
  }

  #takeLines(): string {
    const finished = `${this.#lines.join("\n")}\n`;
    this.#lines = [];
    return finished;
  }
}

/** The open fence behind a line, if any. */
function fenceAfter(line: string, open: Fence | undefined, number: number): Fence | undefined {
  const mark = fenceStart.exec(line)?.[1];
  if (open === undefined) {
    return mark === undefined ? undefined : { mark, opening: line, line: number };
  }
  const closes = mark?.startsWith(open.mark) === true && line.trim() === mark;
  return closes ? undefined : open;
}
