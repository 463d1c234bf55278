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

interface Paragraph {
  readonly paragraph: string;
  /** Of its first character, in UTF-16 code units. */
  readonly offset: number;
}

/** The lines of a text between blank lines, in their order. */
export function* paragraphsOf(text: string): Generator<Paragraph> {
  let start: number | undefined;
  for (const { 0: line, index } of text.matchAll(/[^\r\n]*(?:\r\n?|\n|$)/g)) {
    if (line.trim() !== "") start ??= index;
    else if (start !== undefined) {
      yield { paragraph: text.slice(start, index), offset: start };
      start = undefined;
    }
  }
}

/** Whether an offset is in one of these code blocks. */
export const isFenced = (offset: number, fences: readonly CodeFence[]): boolean =>
  fences.some(({ start, end }) => start <= offset && offset < end);
