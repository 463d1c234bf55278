import { codeFences, linesOf, type TextLine } from "./lines.ts";

/** Lists and quotes within each other: to parse them, each is compared with every line in it. */
export const MAX_CONTAINERS = 100;
/** Columns before the text of the innermost one: a list takes two at least. */
const MAX_COLUMNS = 2 * MAX_CONTAINERS;

const thematicBreak = /^[ \t>]*([-*_])[ \t]*(?:\1[ \t]*)*$/;
/** What may begin lists and quotes, one after the other, up to the text. */
const marker = /([ \t]*)(>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/y;

/** The offset where lists and quotes are nested too deep; undefined if none are. */
export function tooDeepAt(text: string): number | undefined {
  for (const line of linesOutsideCode(text)) {
    const column = thematicBreak.test(line.text) ? undefined : tooDeepIn(line.text);
    if (column !== undefined) return line.start + column;
  }
  return undefined;
}

function tooDeepIn(line: string): number | undefined {
  let columns = 0;
  marker.lastIndex = 0;
  for (let found = marker.exec(line), count = 1; found !== null; found = marker.exec(line), count++) {
    const [whole, blanks = ""] = found;
    columns += whole.length + 3 * (blanks.length - blanks.replaceAll("\t", "").length);
    if (count > MAX_CONTAINERS || columns > MAX_COLUMNS) return found.index + blanks.length;
  }
  return undefined;
}

const frontmatter = /^---[ \t]*\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/;

/** The lines of a Markdown text that are neither frontmatter nor in a fenced code block. */
function* linesOutsideCode(text: string): Generator<TextLine> {
  const start = frontmatter.exec(text)?.[0].length ?? 0;
  const fences = codeFences(text).values();
  let fence = fences.next().value;
  for (const line of linesOf(text, start)) {
    while (fence !== undefined && fence.end <= line.start) fence = fences.next().value;
    if (fence === undefined || line.start < fence.start) yield line;
  }
}
