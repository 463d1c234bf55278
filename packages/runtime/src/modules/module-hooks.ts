import { type Clock, isRecord, lineText, untilAborted, warnOfEachOnce } from "@mdx-ai/base";
import type { PromptHook } from "@mdx-ai/loop";
import type { AgentLog } from "../log/agent-log.ts";
import type { AgentModule, HookDenial, ModuleHooks, PromptContext } from "../types/module.ts";
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

  constructor(limit: number) {
    super(`no result within ${limit / 1000} s`);
  }
}

/** Returns the result of `work`, or rejects with `TimeLimitError` when it takes over the limit in milliseconds. The work itself continues. */
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
  { clock, duringPrompt = (work) => work(), limit }: PromptCallOptions,
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

const HOOKS: readonly PromptHook[] = ["beforePrompt", "beforeTool", "afterTool", "beforeEnd", "afterPrompt"];

/** Combines the hooks of modules around prompts and tool calls. */
export function moduleHooks(modules: readonly LiveModule[], options: PromptCallOptions): ModuleHooks {
  const ordered = modules.toSorted((one, other) => (one.location < other.location ? -1 : 1));
  const having = (hook: HookName): readonly LiveModule[] => ordered.filter(({ module }) => module[hook]);
  /** The texts of all modules, or the first denial. */
  const ask = async (call: HookCall): Promise<Asked> => {
    const contexts: PromptContext[] = [];
    for (const live of having(call.hook)) {
      const answer = await answerOf(live, call, options);
      if (answer?.member === "deny") return { contexts, deny: { module: live.name, reason: answer.text } };
      if (answer?.text) contexts.push({ module: live.name, text: answer.text });
    }
    return { contexts };
  };
  return {
    get names() {
      return HOOKS.filter((hook) => having(hook).length > 0);
    },
    beforePrompt: (event) => {
      const call = (module: AgentModule): unknown => module.beforePrompt?.({ ...event });
      return ask({ hook: "beforePrompt", call, members: ["context", "deny"], signal: event.signal });
    },
    beforeTool: async (event) => {
      const { args, signal } = event;
      const call = (module: AgentModule): unknown => module.beforeTool?.({ ...event, args: structuredClone(args) });
      const { deny } = await ask({ hook: "beforeTool", call, members: ["deny"], signal });
      return deny === undefined ? {} : { deny };
    },
    afterTool: async (event) => {
      const copy = (): typeof event => ({ ...event, ...structuredClone({ args: event.args, result: event.result }) });
      const call = (module: AgentModule): unknown => module.afterTool?.(copy());
      return textsOf(await ask({ hook: "afterTool", call, members: ["context"] }));
    },
    beforeEnd: async (event) => {
      const call = (module: AgentModule): unknown => module.beforeEnd?.({ ...event });
      return textsOf(await ask({ hook: "beforeEnd", call, members: ["continue"], signal: event.signal }));
    },
    onQuestion: async (event) => {
      const call = (module: AgentModule): unknown =>
        module.onQuestion?.({ ...event, ...structuredClone({ question: event.question }) });
      const { deny } = await ask({ hook: "onQuestion", call, members: ["deny"] });
      return deny === undefined ? {} : { deny };
    },
    afterPrompt: async (event) => {
      await ask({ hook: "afterPrompt", call: (module) => module.afterPrompt?.({ ...event }), members: [] });
    },
  };
}

type HookName = PromptHook | "onQuestion";

interface Asked {
  readonly contexts: readonly PromptContext[];
  readonly deny?: HookDenial;
}

const textsOf = ({ contexts }: Asked): readonly string[] => contexts.map(({ text }) => text);

interface HookCall {
  readonly hook: HookName;
  readonly call: (module: AgentModule) => unknown;
  /** The members of which the result may have one. If empty, the hook must return nothing. */
  readonly members: readonly string[];
  /** Ends the wait. No hook is called after it has fired. */
  readonly signal?: AbortSignal;
}

/** The text of a hook's result, and the member that has it. */
interface AnswerText {
  readonly member: string;
  readonly text: string;
}

/** Returns the text of a hook's result. Reports an invalid result and returns `undefined`. Never rejects. */
async function answerOf(
  { location, module }: LiveModule,
  { hook, call, members, signal }: HookCall,
  options: PromptCallOptions,
): Promise<AnswerText | undefined> {
  if (signal?.aborted) return undefined;
  try {
    const work = (): Promise<unknown> => callDuringPrompt(() => call(module), { ...options, limit: module.hookLimit });
    const answer = await (signal ? untilAborted(work, signal, () => undefined) : work());
    return answer === undefined ? undefined : answerText(answer, members);
  } catch (error) {
    options.report(`${location}: ${hook}`, error);
    return undefined;
  }
}

function answerText(answer: unknown, members: readonly string[]): AnswerText {
  const record = isRecord(answer) ? answer : {};
  for (const member of members) {
    const text = record[member];
    if (typeof text === "string") return { member, text };
  }
  const forms = members.map((member) => `{${member}: string}`);
  throw new HookAnswerError(answer, ["nothing", ...forms].join(" or "));
}
