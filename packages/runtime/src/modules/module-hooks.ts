import { untilAborted } from "../abort.ts";
import { isRecord } from "../record.ts";
import type { AgentModule, ModuleHooks, PromptContext, PromptHook } from "../types/module.ts";
import { callDuringPrompt, type PromptCallOptions } from "./hook-call.ts";
import { HookAnswerError, type LiveModule } from "./module-contract.ts";

/** Combines the hooks of modules around prompts and tool calls. */
export function moduleHooks(modules: readonly LiveModule[], options: PromptCallOptions): ModuleHooks {
  const ordered = modules.toSorted((one, other) => (one.location < other.location ? -1 : 1));
  const having = (hook: PromptHook): readonly LiveModule[] => ordered.filter(({ module }) => module[hook]);
  const byHook: Readonly<Record<PromptHook, readonly LiveModule[]>> = {
    beforePrompt: having("beforePrompt"),
    beforeTool: having("beforeTool"),
    afterTool: having("afterTool"),
    afterPrompt: having("afterPrompt"),
  };
  return {
    has: (hook) => byHook[hook].length > 0,
    beforePrompt: async (event) => {
      const { signal } = event;
      const contexts: PromptContext[] = [];
      for (const live of byHook.beforePrompt) {
        const call = (module: AgentModule): unknown => module.beforePrompt?.({ ...event });
        const text = await answerOf(live, { hook: "beforePrompt", call, member: "context", signal }, options);
        if (text) contexts.push({ module: live.name, text });
      }
      return { contexts };
    },
    beforeTool: async (event) => {
      const { args, signal } = event;
      for (const live of byHook.beforeTool) {
        const call = (module: AgentModule): unknown => module.beforeTool?.({ ...event, args: structuredClone(args) });
        const reason = await answerOf(live, { hook: "beforeTool", call, member: "deny", signal }, options);
        if (reason !== undefined) return { deny: { module: live.name, reason } };
      }
      return {};
    },
    afterTool: async (event) => {
      for (const live of byHook.afterTool) {
        const copy = (): typeof event => ({ ...event, ...structuredClone({ args: event.args, result: event.result }) });
        await answerOf(live, { hook: "afterTool", call: (module) => module.afterTool?.(copy()) }, options);
      }
    },
    afterPrompt: async (event) => {
      for (const live of byHook.afterPrompt) {
        await answerOf(live, { hook: "afterPrompt", call: (module) => module.afterPrompt?.({ ...event }) }, options);
      }
    },
  };
}

/** How one hook is called. */
interface HookCall {
  readonly hook: PromptHook;
  readonly call: (module: AgentModule) => unknown;
  /** The one member that an answer may have; without it the hook must return nothing. */
  readonly member?: string;
  /** Ends the wait; a hook is not called after it has fired. */
  readonly signal?: AbortSignal;
}

/** The text that a hook answers. Reports what is wrong and then returns `undefined`. Never rejects. */
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
