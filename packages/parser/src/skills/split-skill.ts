import { linesOf, type TextLine } from "../markdown/lines.ts";

/** The two parts of a SKILL.md. */
export interface SplitSkill {
  /** YAML without its `---` lines; may be empty. */
  readonly frontmatter: string;
  readonly body: string;
  /** Where the frontmatter starts, in UTF-16 code units of the text without its byte-order mark. */
  readonly start: number;
}

const MAX_OPENING = 30;
const border = /^-{3,}[ \t]*$/;
const closing = /^(?:-{3,}|\.{3})[ \t]*$/;
const key = /^["']?[A-Za-z][\w-]*["']?[ \t]*[:\uFF1A]/;

/**
 * Finds the border between frontmatter and body as leniently as files in the wild need it: a byte-order mark, CRLF, text
 * before the first `---`, a `---` in the body and a border that is not closed are all right. Reads no YAML, never throws.
 */
export function splitSkill(text: string): SplitSkill {
  const content = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const lines = new Lines(content);
  const first = firstLineOfFrontmatter(lines);
  const line = first === undefined ? undefined : lines.at(first);
  if (first === undefined || line === undefined) return { frontmatter: "", body: content, start: 0 };
  const last = lines.find(first, (candidate) => closing.test(candidate));
  const end = last ?? endOfUnclosed(lines, first);
  const body = last === undefined ? end : last + 1;
  return {
    frontmatter: content.slice(line.start, lines.at(end)?.start ?? content.length),
    body: content.slice(lines.at(body)?.start ?? content.length).replace(/^(?:[ \t]*\r?\n)+/, ""),
    start: line.start,
  };
}

/** The lines of a text, looked for as far as they are needed: bodies are long, and their lines hardly matter. */
class Lines {
  readonly #lines: TextLine[] = [];
  readonly #rest: Iterator<TextLine>;

  constructor(text: string) {
    this.#rest = linesOf(text);
  }

  /** Undefined behind the last line. */
  at(index: number): TextLine | undefined {
    while (this.#lines.length <= index) {
      const { done, value } = this.#rest.next();
      if (done === true) return undefined;
      this.#lines.push(value);
    }
    return this.#lines[index];
  }

  /** The index of the first line from one on whose text is accepted; undefined if there is none before `to`. */
  find(from: number, accepts: (text: string) => boolean, to: number = Number.POSITIVE_INFINITY): number | undefined {
    for (let index = from; index < to; index++) {
      const line = this.at(index);
      if (line === undefined) return undefined;
      if (accepts(line.text)) return index;
    }
    return undefined;
  }
}

function firstLineOfFrontmatter(lines: Lines): number | undefined {
  const written = lines.find(0, (text) => text.trim() !== "", MAX_OPENING);
  const first = written === undefined ? "" : (lines.at(written)?.text ?? "");
  if (written !== undefined && border.test(first)) return written + 1;
  const isKey = key.test(first);
  const opening = isKey ? undefined : openingBefore(lines);
  if (opening !== undefined) return opening + 1;
  return isKey && lines.find(0, (text) => border.test(text)) !== undefined ? written : undefined;
}

/** A border that is followed by a key. */
function openingBefore(lines: Lines): number | undefined {
  for (let index = 0; index < MAX_OPENING; index++) {
    if (border.test(lines.at(index)?.text ?? "") && key.test(lines.at(index + 1)?.text ?? "")) return index;
  }
  return undefined;
}

function endOfUnclosed(lines: Lines, first: number): number {
  const isOutside = (text: string): boolean => !/^(?:[ \t]+\S|-[ \t])/.test(text) && !key.test(text);
  return lines.find(first, isOutside) ?? Number.MAX_SAFE_INTEGER;
}
