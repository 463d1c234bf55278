import type { AgentLog } from "../log/agent-log.ts";
import { lineText } from "../log/line-text.ts";
import type { Clock } from "../types/agent.ts";

/** Reports that something failed at a location such as "modules/clock.ts: start". Never throws. */
export type FailureReport = (location: string, error: unknown) => void;

export interface ReportOptions {
  readonly log: Pick<AgentLog, "write">;
  /** Receives each failure once, as one line. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** Writes every failure to the log and warns of each once, since some hooks run again with every prompt. */
export function failureReport({ log, onWarning }: ReportOptions): FailureReport {
  const warned = new Set<string>();
  return (location, error) => {
    const message = `${location}: ${lineText(error)}`;
    void log.write(message);
    if (warned.has(message)) return;
    warned.add(message);
    onWarning?.(message);
  };
}

export interface TimeLimit {
  readonly clock: Clock;
  readonly milliseconds: number;
}

/** Work did not end in its time. */
class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";

  constructor(milliseconds: number) {
    super(`no end within ${milliseconds / 1000} s`);
  }
}

/** Returns the result of `work`, or rejects with `TimeLimitError` when it takes longer. The work itself continues. */
export async function withinTime<Result>(work: Promise<Result>, limit: TimeLimit): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const cancel = limit.clock.after(limit.milliseconds, () => late.reject(new TimeLimitError(limit.milliseconds)));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}

/** Runs work as a part of the running prompt. Rejects as the work does. */
export type DuringPrompt = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** How module code is called while a prompt runs. */
export interface PromptCallOptions {
  readonly limit: TimeLimit;
  readonly report: FailureReport;
  readonly duringPrompt?: DuringPrompt | undefined;
}

/** Calls module code while a prompt runs. Rejects as it does, and with `TimeLimitError`. */
export const callDuringPrompt = <Result>(
  run: () => Result | Promise<Result>,
  { limit, duringPrompt = (work) => work() }: PromptCallOptions,
): Promise<Result> =>
  withinTime(
    duringPrompt(async () => run()),
    limit,
  );

/** A hook of a module, and the location that its failures are reported at, such as "modules/clock.ts: start". */
export interface HookCall<Result> {
  readonly location: string;
  readonly run: () => Result;
}

/** Calls a synchronous hook. Reports a throw and then returns `undefined`. Never throws. */
export function callHook<Result>({ location, run }: HookCall<Result>, report: FailureReport): Result | undefined {
  try {
    return run();
  } catch (error) {
    report(location, error);
    return undefined;
  }
}

/** How an asynchronous hook ended. */
export type HookEnd = "done" | "failed" | "late";

/** Calls an asynchronous hook and waits up to a limit. Reports failures. Never rejects. */
export async function awaitHook(
  { location, run }: HookCall<Promise<unknown>>,
  limit: TimeLimit,
  report: FailureReport,
): Promise<HookEnd> {
  try {
    // Within an async function a throw before the first await is a rejection too.
    await withinTime((async () => run())(), limit);
    return "done";
  } catch (error) {
    report(location, error);
    return error instanceof TimeLimitError ? "late" : "failed";
  }
}
