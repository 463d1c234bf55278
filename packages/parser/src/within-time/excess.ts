import { paragraphsOf } from "../mdx/paragraphs.ts";
import { containerExcess, type Excess } from "./container-excess.ts";

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
