import type { Problem } from "../report.ts";
import { MAX_CONTAINERS } from "./nesting.ts";
import { paragraphsOf } from "./unparsed-blocks.ts";
import { TooSlowError } from "./watchdog.ts";

/** Whether reading a text took too long, or was nested deeper than the stack. */
export const isTooComplex = (error: unknown): boolean => error instanceof TooSlowError || error instanceof RangeError;

/** The mistake of a text that is too complex. */
export function tooComplex(error: unknown, text: string): Problem {
  const deep = error instanceof TooSlowError ? error.offset : undefined;
  return {
    rule: "text-too-complex",
    offset: deep ?? heaviestParagraph(text),
    message:
      deep === undefined
        ? "reading the file takes too long, most likely because of the text here"
        : `more than ${MAX_CONTAINERS} lists and quotes within each other`,
    hint: "simplify it, or put it into a code block or a file of its own",
  };
}

/** The offset of the paragraph with the most punctuation: what takes a parser long is usually there. */
function heaviestParagraph(text: string): number {
  let heaviest = { offset: 0, weight: 0 };
  for (const { paragraph, offset } of paragraphsOf(text)) {
    const weight = paragraph.replace(/[\w\s]+/g, "").length;
    if (weight > heaviest.weight) heaviest = { offset, weight };
  }
  return heaviest.offset;
}
