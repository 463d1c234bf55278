import { type Clock, isRecord, lineText, untilAborted, warnOfEachOnce } from "@mdx-ai/base";
import type { PromptHook } from "@mdx-ai/loop";
import type { AgentLog } from "../log/agent-log.ts";
import type { AgentModule, ModuleHooks, PromptContext } from "../types/module.ts";
import { HookAnswerError, type LiveModule } from "./module-contract.ts";

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

  constructor() {
    super(`no result within ${MAX_MILLISECONDS / 1000} s`);
  }
}

/** Returns the result of `work`, or rejects with `TimeLimitError` when it takes over 10 s. The work itself continues. */
export async function withinTime<Result>(work: Promise<Result>, clock: Clock): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const cancel = clock.after(MAX_MILLISECONDS, () => late.reject(new TimeLimitError()));
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
}

/** Calls module code while a prompt runs. Rejects as it does, and with `TimeLimitError`. */
export const callDuringPrompt = <Result>(
  run: () => Result | Promise<Result>,
  { clock, duringPrompt = (work) => work() }: PromptCallOptions,
): Promise<Result> =>
  withinTime(
    duringPrompt(async () => run()),
    clock,
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
  run: () => Promise<unknown>,
  { clock, report }: Pick<PromptCallOptions, "clock" | "report">,
): Promise<HookEnd> {
  try {
    // Within an async function a throw before the first await is a rejection too.
    await withinTime((async () => run())(), clock);
    return "done";
  } catch (error) {
    report(location, error);
    return error instanceof TimeLimitError ? "late" : "failed";
  }
}

const HOOKS: readonly PromptHook[] = ["beforePrompt", "beforeTool", "afterTool", "afterPrompt"];

/** Combines the hooks of modules around prompts and tool calls. */
export function moduleHooks(modules: readonly LiveModule[], options: PromptCallOptions): ModuleHooks {
  const ordered = modules.toSorted((one, other) => (one.location < other.location ? -1 : 1));
  const having = (hook: PromptHook): readonly LiveModule[] => ordered.filter(({ module }) => module[hook]);
  return {
    get names() {
      return HOOKS.filter((hook) => having(hook).length > 0);
    },
    beforePrompt: async (event) => {
      const { signal } = event;
      const contexts: PromptContext[] = [];
      for (const live of having("beforePrompt")) {
        const call = (module: AgentModule): unknown => module.beforePrompt?.({ ...event });
        const text = await answerOf(live, { hook: "beforePrompt", call, member: "context", signal }, options);
        if (text) contexts.push({ module: live.name, text });
      }
      return { contexts };
    },
    beforeTool: async (event) => {
      const { args, signal } = event;
      for (const live of having("beforeTool")) {
        const call = (module: AgentModule): unknown => module.beforeTool?.({ ...event, args: structuredClone(args) });
        const reason = await answerOf(live, { hook: "beforeTool", call, member: "deny", signal }, options);
        if (reason !== undefined) return { deny: { module: live.name, reason } };
      }
      return {};
    },
    afterTool: async (event) => {
      for (const live of having("afterTool")) {
        const copy = (): typeof event => ({ ...event, ...structuredClone({ args: event.args, result: event.result }) });
        await answerOf(live, { hook: "afterTool", call: (module) => module.afterTool?.(copy()) }, options);
      }
    },
    afterPrompt: async (event) => {
      for (const live of having("afterPrompt")) {
        await answerOf(live, { hook: "afterPrompt", call: (module) => module.afterPrompt?.({ ...event }) }, options);
      }
    },
  };
}

interface HookCall {
  readonly hook: PromptHook;
  readonly call: (module: AgentModule) => unknown;
  /** The only member that the result may have. If absent, the hook must return nothing. */
  readonly member?: string;
  /** Ends the wait. No hook is called after it has fired. */
  readonly signal?: AbortSignal;
}

/** Returns the text of a hook's result. Reports an invalid result and returns `undefined`. Never rejects. */
async function answerOf(
  { location, module }: LiveModule,
  { hook, call, member, signal }: HookCall,
  options: PromptCallOptions,
): Promise<string | undefined> {
  if (signal?.aborted) return undefined;
  try {
    const work = (): Promise<unknown> => callDuringPrompt(() => call(module), options);
    const answer = await (signal ? untilAborted(work, signal, () => undefined) : work());
    return answer === undefined ? undefined : answerText(answer, member);
  } catch (error) {
    options.report(`${location}: ${hook}`, error);
    return undefined;
  }
}

function answerText(answer: unknown, member: string | undefined): string {
  if (member === undefined) throw new HookAnswerError(answer, "nothing");
  const text = isRecord(answer) ? answer[member] : undefined;
  if (typeof text !== "string") throw new HookAnswerError(answer, `nothing or {${member}: string}`);
  return text;
}
