import { drawable, wrapped } from "../../output/line-layout.ts";
import type { Theme } from "../../output/theme.ts";

export interface MarkdownStyle {
  readonly theme: Pick<Theme, "rich">;
  readonly highlighter: Pick<CodeHighlighter, "line" | "lines">;
  /** Whether the last line may still grow. */
  readonly isOpen?: boolean;
}

/**
 * The lines of a model's Markdown, without blank lines at its ends. Code has no frame, so that it can be copied. By Bun, not by
 * the terminal library, whose Markdown is slower, shows fences and entities, and has no tables in ASCII.
 */
export function renderMarkdown(markdown: string, columns: number, style: MarkdownStyle): readonly string[] {
  const rendered = Bun.markdown.ansi(drawable(markdown), { columns, colors: style.theme.rich });
  // Tables and code are not wrapped by the renderer.
  const lines = rendered.replace(/^\n+|\s+$/g, "").split("\n");
  return parts(lines).flatMap((part, at, all) => {
    if (part.kind === "prose") return wrapped(part.text, columns);
    const isOpen = style.isOpen === true && at === all.length - 1;
    const shown = codeLines(part, style.highlighter, isOpen).flatMap((line) => brokenLine(line, columns));
    return isCloseTo(all[at + 1], part) ? [...shown, ""] : shown;
  });
}

/** The renderer leaves no blank line between code and a list behind it. */
const isCloseTo = (next: Prose | Code | undefined, { margin }: Code): boolean =>
  margin === "" && next?.kind === "prose" && Bun.stripANSI(next.text.split("\n", 1)[0] ?? "").trim() !== "";

/** A line of code is broken where the terminal ends, and nothing in it moves. */
const brokenLine = (line: string, columns: number): readonly string[] =>
  Bun.wrapAnsi(line, columns, { hard: true, trim: false, wordWrap: false }).split("\n");

interface Prose {
  readonly kind: "prose";
  readonly text: string;
}

interface Code {
  readonly kind: "code";
  readonly language: string;
  readonly text: string;
  /** Before each line: blanks of a list, bars of a quote. */
  readonly margin: string;
}

/** The renderer's frame around code, with colours and without. */
const FRAME_TOP = /^([\s│|]*?)(?:(┌─)|\+-)(?: (\S+).*| ?)$/;

/** Separates what the renderer drew as code. */
function parts(lines: readonly string[]): readonly (Prose | Code)[] {
  const found: (Prose | Code)[] = [];
  let prose: string[] = [];
  const endProse = (): void => {
    if (prose.length > 0) found.push({ kind: "prose", text: prose.join("\n") });
    prose = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const frame = frameAt(lines, at);
    if (frame === undefined) {
      prose.push(lines[at] ?? "");
      continue;
    }
    endProse();
    found.push(frame.code);
    at = frame.end;
  }
  endProse();
  return found;
}

/** The code whose frame begins at a line, and the last line of the frame. */
function frameAt(lines: readonly string[], at: number): { readonly code: Code; readonly end: number } | undefined {
  const line = lines[at] ?? "";
  if (!/┌─|\+-/.test(line)) return undefined;
  const [isTop, margin = "", corner, language = ""] = FRAME_TOP.exec(Bun.stripANSI(line)) ?? [];
  if (isTop === undefined) return undefined;
  const side = `${margin}${corner === undefined ? "|" : "│"} `;
  const bottom = `${margin}${corner === undefined ? "+-" : "└─"}`;
  const code: string[] = [];
  for (let end = at + 1; end < lines.length; end += 1) {
    const plain = Bun.stripANSI(lines[end] ?? "");
    if (plain === bottom && code.length > 0) {
      return { code: { kind: "code", language: language.toLowerCase(), text: code.join("\n"), margin }, end };
    }
    // The end of the whole text was trimmed.
    if (!plain.startsWith(side) && plain !== side.trimEnd()) return undefined;
    code.push(plain.slice(side.length));
  }
  return undefined;
}

/** A line that may still grow has no colours yet. */
function codeLines(
  { text, language, margin }: Code,
  highlighter: MarkdownStyle["highlighter"],
  isOpen: boolean,
): readonly string[] {
  const lines = isOpen ? arrivingLines(text, language, highlighter) : highlighter.lines(text, language);
  return lines.map((line) => margin + line);
}

function arrivingLines(text: string, language: string, highlighter: MarkdownStyle["highlighter"]): readonly string[] {
  const lines = text.split("\n");
  return lines.map((line, at) => (at === lines.length - 1 ? line : highlighter.line(line, language)));
}

/** Characters of a block, and of a line of it, that are highlighted: a model can write what takes long. */
const MAX_LENGTH = 50_000;
const MAX_LINE = 2_000;
/** Lines that are remembered, since an answer is drawn many times while it arrives. */
const REMEMBERED = 500;

type Highlight = (code: string, language: string) => readonly string[];

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
    const isShort = code.length <= MAX_LENGTH && code.split("\n").every((line) => line.length <= MAX_LINE);
    return (isShort ? this.#highlight?.(code, language) : undefined) ?? code.split("\n");
  }

  /** A line of a block that still arrives, by itself: the whole would be highlighted again with every line. */
  line(text: string, language: string): string {
    const highlight = this.#highlight;
    if (highlight === undefined || text.length > MAX_LINE) return text;
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
      const { highlightedLines } = await import("./highlight-code.ts");
      this.#highlight = (code, language) => highlightedLines(code, language, colours);
    } catch {
      // Code without colours is better than no answer.
    }
  }
}
