import { mayBeSlow } from "./bounded-patterns.ts";
import { patternProgram } from "./pattern-program.ts";
import { runProgram, type StepBudget } from "./run-program.ts";

/** Steps for all texts that an ordinary match might search slowly, some seconds. */
const MOST_STEPS = 20_000_000;

/**
 * Searches texts for a valid pattern with the flag u, in bounded time for all texts together: undefined once that is used up.
 * Throws `UnsupportedPatternError` at backreferences, lookbehind and modifiers.
 */
export function boundedSearch(pattern: string, steps: number = MOST_STEPS): (text: string) => boolean | undefined {
  const whole = new RegExp(pattern, "u");
  const budget: StepBudget = { left: steps };
  const program = patternProgram(pattern);
  let longestQuick = 0;
  return (text) => {
    if (text.length <= longestQuick || !mayBeSlow(pattern, text.length)) {
      longestQuick = Math.max(longestQuick, text.length);
      return whole.test(text);
    }
    const found = runProgram(program, text, budget);
    return budget.left < 0 ? undefined : found;
  };
}
