import type { Clock } from "../types/agent.ts";

export interface TimeLimit {
  readonly clock: Clock;
  readonly milliseconds: number;
}

/** A hook did not come back in its time. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";

  constructor(milliseconds: number) {
    super(`no end within ${milliseconds / 1000} s`);
  }
}

/** The result of `work`, or a rejection with `TimeLimitError` when it takes longer. The work itself goes on. */
export async function withinTime<Result>(work: Promise<Result>, limit: TimeLimit): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const cancel = limit.clock.after(limit.milliseconds, () => late.reject(new TimeLimitError(limit.milliseconds)));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}
