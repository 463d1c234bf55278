import { drawable } from "../../output/line-layout.ts";
import type { Screen } from "../screen/screen.ts";
import { brokenLine, type CodeHighlighter } from "./render-markdown.ts";

/** Lines that are appended together: highlighting starts at the block's first line, since a token may go over lines. */
const BATCH = 8;

/** A code block that arrives: its lines are appended to the screen in groups, the others are drawn. */
export class LiveCode {
  readonly #screen: Pick<Screen, "append">;
  readonly #highlighter: CodeHighlighter;
  readonly #language: string;
  readonly #lines: string[] = [];
  /** The number of appended lines. */
  #shown = 0;

  constructor(screen: Pick<Screen, "append">, highlighter: CodeHighlighter, language: string) {
    this.#screen = screen;
    this.#highlighter = highlighter;
    this.#language = language;
  }

  add(line: string): void {
    this.#lines.push(drawable(line));
    if (this.#lines.length - this.#shown >= BATCH) this.#append([]);
  }

  /** Appends the last lines, and a blank one. */
  end(): void {
    if (this.#lines.length > 0) this.#append([""]);
  }

  /** The lines that are not appended, and one that is still arriving. */
  draw(arriving: string, columns: number): readonly string[] {
    const lines = this.#lines.slice(this.#shown).map((line) => this.#highlighter.line(line, this.#language));
    return [...lines, drawable(arriving)].flatMap((line) => brokenLine(line, columns));
  }

  #append(after: readonly string[]): void {
    const [first, code] = [this.#shown, this.#lines.join("\n")];
    this.#shown = this.#lines.length;
    const lines = (): readonly string[] => this.#highlighter.lines(code, this.#language).slice(first);
    this.#screen.append(
      (columns) => [...lines().flatMap((line) => brokenLine(line, columns)), ...after],
      this.#highlighter.load(),
    );
  }
}
