import { errorText } from "../../tools/error-text.ts";
import { headOf } from "../../tools/text-limit.ts";
import { type BoundedResult, textResult } from "../../tools/tool-result.ts";
import type { AuthorPlaces } from "./author-places.ts";
import { buildProblems } from "./build-problems.ts";

const STACK_LIMIT = 16_000;
const MESSAGE_LIMIT = 2_000;
const CAUSES = 5;

/** What becomes of a throw: for the model its message and place, for people in `details` the stack. Never throws. */
export function failureResult(error: unknown, places: AuthorPlaces): BoundedResult {
  try {
    const problems = buildProblems(error, places);
    if (problems.length > 0) return { ...textResult(problems.join("\n")), isError: true };
    const place = places.placeOf(error);
    const text = place === undefined ? errorText(error) : `${errorText(error)} (${place})`;
    const stack = headOf(chainedStacks(error, places), STACK_LIMIT);
    return { ...textResult(text), isError: true, ...(stack === "" ? {} : { details: { stack } }) };
  } catch {
    // Its stack is a trap, or its message too.
    return { ...textResult(errorText(error)), isError: true };
  }
}

/** Whether a throw says that the process's memory is used up: what runs in it afterwards could fail at any place. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof RangeError && error.message === "Out of memory";
}

/** The stacks of an error and of its causes; empty where the author's code has no part in them. */
function chainedStacks(error: unknown, places: AuthorPlaces): string {
  const stacks: string[] = [];
  for (let cause = error; cause instanceof Error && stacks.length < CAUSES; cause = cause.cause) {
    const frames = places.framesOf(cause);
    if (frames.length > 0)
      stacks.push([`${cause.name}: ${headOf(cause.message, MESSAGE_LIMIT)}`, ...frames].join("\n"));
  }
  return stacks.join("\nCaused by ");
}
