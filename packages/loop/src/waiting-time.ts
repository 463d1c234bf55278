import type { PromptRun } from "./prompt-effects.ts";
import type { Timed } from "./types/limit.ts";

/** Adds the time to what a step found, if the prompt has a deadline. Used within the step. */
export const timed = <Result>({ plan, effects }: PromptRun, result: Result): Result & Timed => ({
  ...result,
  ...(plan.deadline !== undefined && { at: effects.now() }),
});

/** Moves the deadline of a prompt by the time in which it waited for its user: `limits.seconds` does not count it. */
export function excludeWait(run: PromptRun, { at: from }: Timed, { at: to }: Timed): void {
  const { deadline } = run.plan;
  if (deadline === undefined || from === undefined || to === undefined) return;
  run.plan = { ...run.plan, deadline: deadline + Math.max(0, to - from) };
}
