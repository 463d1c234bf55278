import type { Theme } from "../../output/theme.ts";
import type { Highlight } from "./highlight-code.ts";

/** Characters of a block, and of a line of it, that are highlighted: a model can write what takes long. */
const LONGEST = 50_000;
const LONGEST_LINE = 2_000;
/** Lines that are remembered, since an answer is drawn many times while it arrives. */
const REMEMBERED = 500;

/** Highlights code; its library is loaded when code is first seen. */
export class CodeHighlighter {
  readonly #colours: Theme["code"] | undefined;
  readonly #known = new Map<string, string>();
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

  /** The lines of a whole block, without colours until the library is loaded. */
  lines(code: string, language: string): readonly string[] {
    const isShort = code.length <= LONGEST && code.split("\n").every((line) => line.length <= LONGEST_LINE);
    return (isShort ? this.#highlight?.(code, language) : undefined) ?? code.split("\n");
  }

  /** A line of a block that still arrives, by itself: the whole would be highlighted again with every line. */
  line(text: string, language: string): string {
    const highlight = this.#highlight;
    if (highlight === undefined || text.length > LONGEST_LINE) return text;
    const key = `${language}\n${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const painted = highlight(text, language).join("");
    this.#known.set(key, painted);
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    return painted;
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
