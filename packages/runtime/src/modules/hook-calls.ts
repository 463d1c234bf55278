import { type Clock, lineText, warnOfEachOnce } from "@mdx-ai/base";
import type { AgentLog } from "../log/agent-log.ts";

/** Reports that something failed at a location such as "modules/clock.ts: start". Never throws. */
export type FailureReport = (location: string, error: unknown) => void;

export interface ReportOptions {
  readonly log: Pick<AgentLog, "write">;
  /** Receives each failure once, as one line. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** Logs every failure and warns once for each, since some hooks run with every prompt. */
export function failureReport({ log, onWarning }: ReportOptions): FailureReport {
  const warn = warnOfEachOnce(onWarning);
  return (location, error) => {
    const message = `${location}: ${lineText(error)}`;
    void log.write(message);
    warn(message);
  };
}

/** The time limit for a module's import and for each hook. */
const MAX_MILLISECONDS = 10_000;

class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";

  constructor(milliseconds: number) {
    super(`no result within ${milliseconds / 1000} s`);
  }
}

/** Returns the result of `work`, or rejects with `TimeLimitError` when it takes over 10 s or `limit`. The work itself continues. */
export async function withinTime<Result>(
  work: Promise<Result>,
  clock: Clock,
  limit: number = MAX_MILLISECONDS,
): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const cancel = clock.after(limit, () => late.reject(new TimeLimitError(limit)));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}

/** Runs work as a part of the running prompt. Rejects as the work does. */
export type DuringPrompt = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Calls module code while a prompt runs. */
export interface PromptCallOptions {
  readonly clock: Clock;
  readonly report: FailureReport;
  readonly duringPrompt?: DuringPrompt | undefined;
  /** The time limit in milliseconds. Default: 10 s. */
  readonly limit?: number | undefined;
}

/** Calls module code while a prompt runs. Rejects as it does, and with `TimeLimitError`. */
export const callDuringPrompt = <Result>(
  run: () => Result | Promise<Result>,
  { clock, duringPrompt = (work) => work(), limit }: Omit<PromptCallOptions, "report">,
): Promise<Result> =>
  withinTime(
    duringPrompt(async () => run()),
    clock,
    limit,
  );

/**
 * Calls a synchronous hook. Reports a throw at a location such as "modules/clock.ts: start", and then returns `undefined`. Never
 * throws.
 */
export function callHook<Result>(location: string, run: () => Result, report: FailureReport): Result | undefined {
  try {
    return run();
  } catch (error) {
    report(location, error);
    return undefined;
  }
}

/** How an asynchronous hook ended. */
export type HookEnd = "done" | "failed" | "late";

/** Calls an asynchronous hook and waits up to 10 s. Reports failures. Never rejects. */
export async function awaitHook(
  location: string,
  run: () => unknown,
  { clock, report, limit }: Pick<PromptCallOptions, "clock" | "report" | "limit">,
): Promise<HookEnd> {
  try {
    // Within an async function a throw before the first await is a rejection too.
    await withinTime((async () => run())(), clock, limit);
    return "done";
  } catch (error) {
    report(location, error);
    return error instanceof TimeLimitError ? "late" : "failed";
  }
}
