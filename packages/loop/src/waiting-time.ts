import type { ToolResultMessage } from "@mdx-ai/models";
import type { PromptRun } from "./prompt-effects.ts";
import type { Timed } from "./types/limit.ts";
import type { Waiting } from "./types/question.ts";

/** Adds the time to what a step found, if the prompt has a deadline. Used within the step. */
export const timed = <Result>({ plan, effects }: PromptRun, result: Result): Result & Timed => ({
  ...result,
  ...(plan.deadline !== undefined && { at: effects.now() }),
});

/** Moves the deadline of a prompt by the time in which it waited for its user: `limits.seconds` does not count it. */
export function excludeWait(run: PromptRun, { at: from }: Timed, { at: to }: Timed): void {
  if (from !== undefined && to !== undefined) delay(run, to - from);
}

/** The same for a call that waited while it ran. */
export const excludeWaitOf = (run: PromptRun, { waited = 0 }: ToolResultMessage): void => delay(run, waited);

function delay(run: PromptRun, milliseconds: number): void {
  const { deadline } = run.plan;
  if (deadline !== undefined) run.plan = { ...run.plan, deadline: deadline + Math.max(0, milliseconds) };
}

/** Measures how long the calls of an answer wait for their user while they run. Times that overlap count once. */
export class UserTime {
  readonly #now: () => number;
  #waits = 0;
  /** The open questions of the prompt itself, whose time counts elsewhere. */
  #asked = 0;
  #since = 0;
  #milliseconds = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Measures waits of a call, and passes them on to the host. */
  measured(host: Waiting = (wait) => wait()): Waiting {
    return async (wait) => {
      this.#change(() => {
        this.#waits += 1;
      });
      try {
        return await host(wait);
      } finally {
        this.#change(() => {
          this.#waits -= 1;
        });
      }
    };
  }

  /** A question of the prompt itself opens. */
  pause(): void {
    this.#change(() => {
      this.#asked += 1;
    });
  }

  /** It was answered. */
  resume(): void {
    this.#change(() => {
      this.#asked = Math.max(0, this.#asked - 1);
    });
  }

  /** The milliseconds since the last call of this. */
  take(): number {
    this.#change(() => {});
    const milliseconds = this.#milliseconds;
    this.#milliseconds = 0;
    return milliseconds;
  }

  #change(step: () => void): void {
    const now = this.#now();
    if (this.#waits > 0 && this.#asked === 0) this.#milliseconds += Math.max(0, now - this.#since);
    this.#since = now;
    step();
  }
}
