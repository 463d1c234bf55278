import type { Construct, Extension } from "micromark-util-types";
import type { Problem } from "../report.ts";
import { paragraphsOf } from "./lines.ts";
import { MAX_CONTAINERS, tooDeepAt } from "./nesting.ts";

/** Milliseconds of processor time that a text of up to `USUAL_LENGTH` may take; a longer one in proportion. */
const USUAL_TIME = 800;
/** UTF-16 code units. */
const USUAL_LENGTH = 100_000;
/** Milliseconds between two looks at the processor time, which cost more than those at the clock. */
const LOOK_EVERY = 20;

/** A text nests or repeats so much that parsing it would take longer than its length explains. */
export class TooSlowError extends Error {
  override readonly name = "TooSlowError";
  /** Where the text is nested too deep, if that is why. */
  readonly offset: number | undefined;

  constructor(offset?: number) {
    super("reading the text takes too long");
    this.offset = offset;
  }
}

/**
 * Syntax that has the one parse of a text throw `TooSlowError` once it takes too long; throws it at once where the text is nested too deep. It
 * looks at the time whenever a construct begins: an endless loop within one construct of the parser could not be stopped in this process.
 */
export function watchdog(text: string): Extension {
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== undefined) throw new TooSlowError(tooDeep);
  const deadline = new Deadline(text.length);
  /** Is tried everywhere and never fits. */
  const construct: Construct = {
    tokenize(_effects, _ok, nok) {
      deadline.check();
      return nok;
    },
  };
  const everywhere = { null: construct };
  return { document: everywhere, flow: everywhere, contentInitial: everywhere, text: everywhere };
}

/** The moment until which a text of a length must be read. */
export class Deadline {
  readonly #end: number;
  #nextLook = performance.now() + LOOK_EVERY;

  constructor(length: number) {
    this.#end = processorTime() + USUAL_TIME * Math.max(1, length / USUAL_LENGTH);
  }

  /** Throws `TooSlowError` once the time is over. */
  check(): void {
    const now = performance.now();
    if (now < this.#nextLook) return;
    this.#nextLook = now + LOOK_EVERY;
    if (processorTime() > this.#end) throw new TooSlowError();
  }
}

/** Milliseconds of the processor: that the machine is busy is not the file's fault. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

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
