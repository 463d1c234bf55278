import { drawable, wrapped } from "../../output/line-layout.ts";
import type { Theme } from "../../output/theme.ts";

export interface MarkdownStyle {
  readonly theme: Pick<Theme, "rich">;
  readonly highlighter: Pick<CodeHighlighter, "line" | "lines">;
  /** Whether the last line may still grow. */
  readonly isOpen?: boolean;
}

/**
 * Renders a model's Markdown as lines, without blank lines at its ends. Code has no frame, so that it can be copied. Uses Bun, since the
 * terminal library's renderer is slower, shows fences and entities, and has no ASCII tables.
 */
export function renderMarkdown(markdown: string, columns: number, style: MarkdownStyle): readonly string[] {
  const rendered = Bun.markdown.ansi(drawable(markdown), { columns, colors: style.theme.rich });
  // The renderer does not wrap tables and code.
  const lines = rendered.replace(/^\n+|\s+$/g, "").split("\n");
  return parts(lines).flatMap((part, at, all) => {
    if (part.kind === "prose") return wrapped(part.text, columns);
    const isOpen = style.isOpen === true && at === all.length - 1;
    const shown = codeLines(part, style.highlighter, isOpen).flatMap((line) => brokenLine(line, columns));
    return isCloseTo(all[at + 1], part) ? [...shown, ""] : shown;
  });
}

/** Whether to add the blank line that the renderer omits between code and a list. */
const isCloseTo = (next: Prose | Code | undefined, { margin }: Code): boolean =>
  margin === "" && next?.kind === "prose" && Bun.stripANSI(next.text.split("\n", 1)[0] ?? "").trim() !== "";

/** Breaks a line of code at the terminal's width without moving anything. */
export const brokenLine = (line: string, columns: number): readonly string[] =>
  Bun.wrapAnsi(line, columns, { hard: true, trim: false, wordWrap: false }).split("\n");

interface Prose {
  readonly kind: "prose";
  readonly text: string;
}

interface Code {
  readonly kind: "code";
  readonly language: string;
  readonly text: string;
  /** The start of each line: blanks of a list, bars of a quote. */
  readonly margin: string;
}

/** The renderer's frame around code, with and without colours. */
const FRAME_TOP = /^([\s│|]*?)(?:(┌─)|\+-)(?: (\S+).*| ?)$/;

/** Separates code from prose. */
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

/** The code whose frame starts at a line, and the last line of the frame. */
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
    // The end of the text was trimmed.
    if (!plain.startsWith(side) && plain !== side.trimEnd()) return undefined;
    code.push(plain.slice(side.length));
  }
  return undefined;
}

/** A line that may still grow is not coloured. */
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

/** Maximum characters of a block and of a line that are highlighted, since a model can write code that takes long. */
const MAX_LENGTH = 50_000;
const MAX_LINE = 2_000;
/** Cached lines, since an arriving answer is drawn many times. */
const REMEMBERED = 500;

type Highlight = (code: string, language: string) => readonly string[];

/** Highlights code. Loads its library when code first appears. */
export class CodeHighlighter {
  readonly #colours: Theme["code"] | undefined;
  readonly #known = new Map<string, string>();
  #highlight: Highlight | undefined;
  #loading: Promise<void> | undefined;

  /** Without colours it loads nothing and returns code unchanged. */
  constructor({ code, hasColour }: Pick<Theme, "code" | "hasColour">) {
    this.#colours = hasColour ? code : undefined;
  }

  /** Loads the library. Returns undefined if it is loaded or not needed; the promise never rejects. */
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

  /** One line of an arriving block, on its own: the whole block would be highlighted again for each line. */
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
