import type { FailureReport } from "./failure-report.ts";
import { type TimeLimit, TimeLimitError, withinTime } from "./time-limit.ts";

/** What a hook that may take its time came to. */
export type HookEnd = "done" | "failed" | "late";

/** A hook of a module and where its failures are said to be, such as "modules/clock.ts: start". */
export interface HookCall<Result> {
  readonly place: string;
  readonly run: () => Result;
}

/** Calls a hook that answers at once. A throw is reported and gives `undefined`. Never throws. */
export function callHook<Result>({ place, run }: HookCall<Result>, report: FailureReport): Result | undefined {
  try {
    return run();
  } catch (error) {
    report(place, error);
    return undefined;
  }
}

/** Calls a hook that may take its time, up to a limit. Failures are reported. Never rejects. */
export async function awaitHook(
  { place, run }: HookCall<Promise<unknown>>,
  limit: TimeLimit,
  report: FailureReport,
): Promise<HookEnd> {
  try {
    // Within an async function a throw before the first await is a rejection too.
    await withinTime((async () => run())(), limit);
    return "done";
  } catch (error) {
    report(place, error);
    return error instanceof TimeLimitError ? "late" : "failed";
  }
}
