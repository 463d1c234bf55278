import { ModelError } from "../errors/model-error.ts";

/** An answer that is over before its end. */
export const unfinished = (host: string): ModelError =>
  new ModelError(`the answer of ${host} ended before it was whole`, { kind: "unfinished", isTransient: true });

/** An answer that came, and is not what the protocol says. Something on the way may have spoilt it. */
export const unreadable = (problem: string): ModelError =>
  new ModelError(problem, { kind: "unreadable", isTransient: true });

/** An answer that would fill the memory. The next one would, too. */
export const tooLong = (host: string, part: string): ModelError =>
  new ModelError(`${host} sent ${part} that is longer than any may be`, { kind: "too_long" });
