import { codeFences, linesOf, paragraphsOf, type TextLine } from "../mdx/unparsed-blocks.ts";

/** A part of a text that nests or repeats beyond reason. */
export interface Excess {
  /** UTF-16 code units. */
  readonly offset: number;
  /** In a few words, such as "more than 100 lists". */
  readonly what: string;
}

/** Quotes and lists within each other. */
const mostContainers = 100;
/** Quotes and lists that are open, summed over the lines: each line is compared with each of them. */
const mostOpenContainers = 250_000;
/** Quotes and list items without any text: the parser searches all that comes before for their content. */
const mostEmptyContainers = 2_000;

const frontmatter = /^---[ \t]*\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/;
const marker = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t\r\n]|$))/y;
const thematicBreak = /^[ \t>]*([-*_])[ \t]*(?:\1[ \t]*)*[\r\n]*$/;

/** Quotes and lists beyond reason, outside of code. */
function containerExcess(text: string): Excess | undefined {
  const count = new ContainerCount();
  for (const line of linesOutsideCode(text)) {
    const excess = count.excessAfter(line.text, line.start);
    if (excess !== undefined) return excess;
  }
  return undefined;
}

/** The lines of a Markdown text that are neither frontmatter nor in a fenced code block, in their order. */
function* linesOutsideCode(text: string): Generator<TextLine> {
  const start = frontmatter.exec(text)?.[0].length ?? 0;
  const fences = codeFences(text).values();
  let fence = fences.next().value;
  for (const line of linesOf(text)) {
    while (fence !== undefined && fence.end <= line.start) fence = fences.next().value;
    const isCode = fence !== undefined && fence.start <= line.start;
    if (line.start >= start && !isCode) yield line;
  }
}

class ContainerCount {
  #open = 0;
  #sum = 0;
  #empty = 0;

  /** Counts the containers of a further line. */
  excessAfter(line: string, offset: number): Excess | undefined {
    const { markers, isEmpty } = containersOf(line);
    const tooDeep = markers[mostContainers];
    if (tooDeep !== undefined) {
      return { offset: offset + tooDeep, what: `more than ${mostContainers} lists and quotes within each other` };
    }
    const isBlank = line.trim() === "";
    if (isEmpty && ++this.#empty > mostEmptyContainers) {
      return { offset, what: `more than ${mostEmptyContainers} empty list items and quotes` };
    }
    this.#open = isBlank ? 0 : Math.max(markers.length, this.#open);
    this.#sum += this.#open;
    if (this.#sum <= mostOpenContainers) return undefined;
    return { offset, what: "too many lines in lists and quotes within each other" };
  }
}

interface Containers {
  /** The offsets of the characters that open them, no more than are of interest. */
  readonly markers: readonly number[];
  /** Whether nothing follows them. */
  readonly isEmpty: boolean;
}

/** The quotes and list items that a line opens. */
function containersOf(line: string): Containers {
  const markers: number[] = [];
  if (thematicBreak.test(line)) return { markers, isEmpty: false };
  let end = 0;
  for (
    let found = markerAt(line, end);
    found !== null && markers.length <= mostContainers;
    found = markerAt(line, end)
  ) {
    markers.push(found.index + found[0].search(/\S/));
    end = found.index + found[0].length;
  }
  return { markers, isEmpty: markers.length > 0 && line.slice(end).trim() === "" };
}

function markerAt(line: string, offset: number): RegExpExecArray | null {
  marker.lastIndex = offset;
  return marker.exec(line);
}

/** Characters that are searched for the ends of code spans that have none. */
const mostSearched = 8_000_000;

/**
 * What in a Markdown text nests or repeats so much that parsing it would take longer than its length explains; undefined if nothing does.
 * Takes time in proportion to the length.
 */
export function excessOf(text: string): Excess | undefined {
  return containerExcess(text) ?? codeSpanExcess(text);
}

/** Backticks that no others of their number follow are searched for to the end of their paragraph. */
function codeSpanExcess(text: string): Excess | undefined {
  let searched = 0;
  for (const { paragraph, offset } of paragraphsOf(text)) {
    for (const start of unmatchedBackticks(paragraph)) {
      searched += paragraph.length - start;
      if (searched > mostSearched) return { offset: offset + start, what: "too many backticks without a second one" };
    }
  }
  return undefined;
}

function unmatchedBackticks(paragraph: string): readonly number[] {
  const runs = Array.from(paragraph.matchAll(/`+/g), (run) => ({ start: run.index, length: run[0].length }));
  const lastOf = new Map(runs.map(({ start, length }) => [length, start]));
  const unmatched: number[] = [];
  let open = 0;
  for (const { start, length } of runs) {
    if (open === length) open = 0;
    else if (open === 0 && lastOf.get(length) === start) unmatched.push(start);
    else if (open === 0) open = length;
  }
  return unmatched;
}
