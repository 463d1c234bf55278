import type { Construct, Extension } from "micromark-util-types";
import type { Processor } from "unified";
import { tooDeepAt } from "./nesting.ts";

/** Milliseconds of processor time that a text of up to `USUAL_LENGTH` may take; a longer one in proportion. */
const USUAL_TIME = 800;
/** UTF-16 code units. */
const USUAL_LENGTH = 100_000;
/** Milliseconds between two looks at the time of the processor, which cost more than those at the clock. */
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
 * A plugin that has the parse of a text throw `TooSlowError` where it is nested too deep, or once it takes too long. Serves one parse. It looks
 * at the time whenever a construct begins: a loop without end within one construct of the parser could not be stopped in this process.
 */
export function watchdog(this: Processor, text: string): void {
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== undefined) throw new TooSlowError(tooDeep);
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), watching(new Deadline(text.length))];
}

/** Constructs that are tried everywhere and never fit. */
function watching(deadline: Deadline): Extension {
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
