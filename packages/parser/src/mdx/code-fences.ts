/** One fenced code block, found line by line without a syntax tree: for texts that do not parse. */
export interface CodeFence {
  /** Offset of the opening line. */
  readonly start: number;
  /** Offset after the closing line; the end of the text if none closes it. */
  readonly end: number;
  readonly closed: boolean;
  /** The fence's characters, such as three backticks. */
  readonly marker: string;
}

const opening = /^(?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}(?=[^`]*$)|~{3,})/;
const closing = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/;

/** How much of the paragraph around an offset is read, in either direction. */
const farthestParagraph = 10_000;

/** All fenced code blocks of a text, in order. */
export function codeFences(text: string): readonly CodeFence[] {
  const fences: CodeFence[] = [];
  let open: { readonly start: number; readonly marker: string } | undefined;
  for (const match of text.matchAll(/[^\r\n]*(?:\r\n?|\n|$)/g)) {
    const line = match[0].replace(/[\r\n]+$/, "");
    if (open === undefined) {
      const marker = opening.exec(line)?.[1];
      if (marker !== undefined) open = { start: match.index, marker };
    } else if (closes(line, open.marker)) {
      fences.push({ ...open, end: match.index + match[0].length, closed: true });
      open = undefined;
    }
  }
  return open === undefined ? fences : [...fences, { ...open, end: text.length, closed: false }];
}

function closes(line: string, marker: string): boolean {
  return (closing.exec(line)?.[1] ?? "").startsWith(marker);
}

/** Whether an offset lies within fenced code or within a code span of its paragraph. */
export function isCode(text: string, offset: number, fences: readonly CodeFence[]): boolean {
  return fences.some((fence) => fence.start <= offset && offset < fence.end) || isInCodeSpan(text, offset);
}

function isInCodeSpan(text: string, offset: number): boolean {
  const start = paragraphStart(text, offset);
  const blank = /\n[ \t]*\r?\n/g;
  const rest = text.slice(start, offset + farthestParagraph);
  blank.lastIndex = offset - start;
  const paragraph = rest.slice(0, blank.exec(rest)?.index ?? rest.length);
  const runs = Array.from(paragraph.matchAll(/`+/g), (run) => ({ at: start + run.index, length: run[0].length }));
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index];
    if (run === undefined || run.at > offset) return false;
    const end = runs.findIndex((other, position) => position > index && other.length === run.length);
    if (end === -1) continue;
    if ((runs[end]?.at ?? 0) > offset) return true;
    index = end;
  }
  return false;
}

function paragraphStart(text: string, offset: number): number {
  const before = text.slice(Math.max(0, offset - farthestParagraph), offset);
  const blank = Array.from(before.matchAll(/\n[ \t]*\r?\n/g)).at(-1);
  return offset - before.length + (blank === undefined ? 0 : blank.index + blank[0].length);
}
