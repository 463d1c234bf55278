import { codeFences } from "../mdx/code-fences.ts";
import type { Problem } from "../report.ts";

/** Quotes and lists within each other. */
const mostContainers = 100;
/** Quotes and lists that are open, summed over the lines: each line is compared with each of them. */
const mostOpenContainers = 250_000;
/** Quotes and list items without any text: the parser searches the text before for their content. */
const mostEmptyContainers = 2_000;
/** Characters that are searched for the ends of code spans that have none. */
const mostSearched = 8_000_000;

const lines = /[^\r\n]*(?:\r\n?|\n|$)/g;
const marker = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t\r\n]|$))/y;
const thematicBreak = /^[ \t>]*([-*_])[ \t]*(?:\1[ \t]*)*\r?\n?$/;

type Excess = Omit<Problem, "fix">;

/**
 * What in a Markdown text nests or repeats beyond reason, so that parsing it would take longer than its length explains; undefined if
 * nothing does. Takes time in proportion to the length.
 */
export function excessOf(text: string): Excess | undefined {
  return containerExcess(text) ?? codeSpanExcess(text);
}

function containerExcess(text: string): Excess | undefined {
  const fences = codeFences(text);
  const start = /^---[ \t]*\r?\n[^]*?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[0].length ?? 0;
  let fence = 0;
  let open = 0;
  let sum = 0;
  let empty = 0;
  for (const { 0: line, index } of text.matchAll(lines)) {
    while ((fences[fence]?.end ?? Number.POSITIVE_INFINITY) <= index) fence++;
    if (index < start || (fences[fence]?.start ?? Number.POSITIVE_INFINITY) <= index) continue;
    const { depth, end, tooDeep } = containersOf(line);
    if (tooDeep !== undefined)
      return excess(index + tooDeep, `more than ${mostContainers} lists and quotes within each other`);
    const isBlank = line.trim() === "";
    if (depth > 0 && line.slice(end).trim() === "" && ++empty > mostEmptyContainers)
      return excess(index, `more than ${mostEmptyContainers} empty list items and quotes`);
    open = isBlank ? 0 : Math.max(depth, open);
    sum += open;
    if (sum > mostOpenContainers) return excess(index, "too many lines in lists and quotes within each other");
  }
  return undefined;
}

interface Containers {
  readonly depth: number;
  /** After the last marker. */
  readonly end: number;
  /** The offset of the first marker that is too deep. */
  readonly tooDeep?: number;
}

function containersOf(line: string): Containers {
  if (thematicBreak.test(line)) return { depth: 0, end: 0 };
  let depth = 0;
  for (let end = 0; ; depth++) {
    marker.lastIndex = end;
    const found = marker.exec(line);
    if (found === null) return { depth, end };
    if (depth === mostContainers) return { depth, end, tooDeep: end + found[0].search(/\S/) };
    end = marker.lastIndex;
  }
}

/** A run of backticks that no other of its length follows is searched for to the end of its paragraph. */
function codeSpanExcess(text: string): Excess | undefined {
  let searched = 0;
  for (const { 0: paragraph, index } of text.matchAll(/(?:[^\r\n]+(?:\r\n?|\n|$))+/g)) {
    const runs = Array.from(paragraph.matchAll(/`+/g), (run) => ({ start: run.index, length: run[0].length }));
    const left = new Map<number, number>();
    for (const { length } of runs) left.set(length, (left.get(length) ?? 0) + 1);
    let open: number | undefined;
    for (const { start, length } of runs) {
      const others = (left.get(length) ?? 1) - 1;
      left.set(length, others);
      if (open === length) open = undefined;
      else if (open === undefined && others > 0) open = length;
      else if (open === undefined) searched += paragraph.length - start;
      if (searched > mostSearched) return excess(index + start, "too many backticks without a second one");
    }
  }
  return undefined;
}

function excess(offset: number, what: string): Excess {
  const hint = "simplify the text here, or put it into a code block";
  return { rule: "text-too-complex", offset, message: `cannot read the file (${what})`, hint };
}
