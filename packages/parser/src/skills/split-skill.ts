/** The two parts of a SKILL.md. */
export interface SplitSkill {
  /** YAML without its `---` lines; may be empty. */
  readonly frontmatter: string;
  readonly body: string;
  /** Where the frontmatter starts, in UTF-16 code units of the text without its byte-order mark. */
  readonly start: number;
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const farthestOpening = 30;
const border = /^-{3,}[ \t]*$/;
const closing = /^(?:-{3,}|\.{3})[ \t]*$/;
const key = /^["']?[A-Za-z][\w-]*["']?[ \t]*[:\uFF1A]/;

/**
 * Finds the border between frontmatter and body as leniently as files in the wild need it: a byte-order mark, CRLF, text
 * before the first `---`, a `---` in the body and a border that is not closed are all right. Reads no YAML, never throws.
 */
export function splitSkill(text: string): SplitSkill {
  const content = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const lines = linesOf(content);
  const first = firstLineOfFrontmatter(lines);
  const line = first === undefined ? undefined : lines[first];
  if (first === undefined || line === undefined) return { frontmatter: "", body: content, start: 0 };
  const last = lines.findIndex((candidate, index) => index >= first && closing.test(candidate.text));
  const end = last === -1 ? endOfUnclosed(lines, first) : last;
  const body = last === -1 ? end : last + 1;
  return {
    frontmatter: content.slice(line.start, lines[end]?.start ?? content.length),
    body: content.slice(lines[body]?.start ?? content.length).replace(/^(?:[ \t]*\r?\n)+/, ""),
    start: line.start,
  };
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const match of text.matchAll(/\r\n?|\n/g)) {
    lines.push({ text: text.slice(start, match.index), start, end: match.index + match[0].length });
    start = match.index + match[0].length;
  }
  return start < text.length ? [...lines, { text: text.slice(start), start, end: text.length }] : lines;
}

function firstLineOfFrontmatter(lines: readonly Line[]): number | undefined {
  const beginning = lines.slice(0, farthestOpening);
  const written = beginning.findIndex((line) => line.text.trim() !== "");
  if (border.test(beginning[written]?.text ?? "")) return written + 1;
  const opening = beginning.findIndex(
    (line, index) => border.test(line.text) && key.test(lines[index + 1]?.text ?? ""),
  );
  if (opening !== -1 && !key.test(beginning[written]?.text ?? "")) return opening + 1;
  return key.test(beginning[written]?.text ?? "") && lines.some((line) => border.test(line.text)) ? written : undefined;
}

function endOfUnclosed(lines: readonly Line[], first: number): number {
  const end = lines.findIndex(
    (line, index) => index >= first && !/^(?:[ \t]+\S|-[ \t])/.test(line.text) && !key.test(line.text),
  );
  return end === -1 ? lines.length : end;
}
