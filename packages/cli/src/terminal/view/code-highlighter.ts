import type { Theme } from "../../output/theme.ts";
import type { Highlight } from "./highlight-code.ts";

/** Characters of a block, and of a line of it, that are highlighted: a model can write what takes long. */
const LONGEST = 50_000;
const LONGEST_LINE = 2_000;
/** Blocks that are remembered, since an answer is drawn many times while it arrives. */
const REMEMBERED = 4;

/** Highlights code; its library is loaded when code is first seen. */
export class CodeHighlighter {
  readonly #colours: Theme["code"] | undefined;
  readonly #known = new Map<string, readonly string[]>();
  #highlight: Highlight | undefined;
  #loading: Promise<void> | undefined;

  /** Without colours it loads nothing and leaves code as it is. */
  constructor({ code, hasColour }: Pick<Theme, "code" | "hasColour">) {
    this.#colours = hasColour ? code : undefined;
  }

  /** Loads the library. Returns undefined if there is nothing to wait for; the promise never rejects. */
  load(): Promise<void> | undefined {
    if (this.#colours === undefined || this.#highlight !== undefined) return undefined;
    this.#loading ??= this.#load(this.#colours);
    return this.#loading;
  }

  /** The lines of code, without colours until the library is loaded. */
  lines(code: string, language: string): readonly string[] {
    const highlight = this.#highlight;
    if (highlight === undefined || isTooLong(code)) return code.split("\n");
    const key = `${language}\n${code}`;
    const lines = this.#known.get(key) ?? highlight(code, language);
    this.#known.delete(key);
    this.#known.set(key, lines);
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    return lines;
  }

  async #load(colours: Theme["code"]): Promise<void> {
    try {
      const { createHighlight } = await import("./highlight-code.ts");
      this.#highlight = createHighlight(colours);
    } catch {
      // Code without colours is better than no answer.
    }
  }
}

const isTooLong = (code: string): boolean =>
  code.length > LONGEST || code.split("\n").some((line) => line.length > LONGEST_LINE);
