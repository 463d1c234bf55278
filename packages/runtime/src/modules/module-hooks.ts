import { isRecord, untilAborted } from "@mdx-ai/base";
import type { PromptHook } from "@mdx-ai/loop";
import type { AgentModule, ModuleHooks, PromptContext } from "../types/module.ts";
import { callDuringPrompt, type PromptCallOptions } from "./hook-calls.ts";
import type { LiveModule } from "./live-module.ts";
import { HookAnswerError } from "./module-contract.ts";

const HOOKS: readonly PromptHook[] = ["beforePrompt", "beforeTool", "afterTool", "afterPrompt"];

/** Combines the hooks of modules around prompts and tool calls. */
export function moduleHooks(modules: readonly LiveModule[], options: Omit<PromptCallOptions, "report">): ModuleHooks {
  const ordered = modules.toSorted((one, other) => (one.location < other.location ? -1 : 1));
  const having = (hook: PromptHook): readonly LiveModule[] =>
    ordered.filter(({ module, isRunning }) => module[hook] && isRunning);
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
  { location, module, report }: LiveModule,
  { hook, call, member, signal }: HookCall,
  options: Omit<PromptCallOptions, "report">,
): Promise<string | undefined> {
  if (signal?.aborted) return undefined;
  try {
    const work = (): Promise<unknown> => callDuringPrompt(() => call(module), options);
    const answer = await (signal ? untilAborted(work, signal, () => undefined) : work());
    return answer === undefined ? undefined : answerText(answer, member);
  } catch (error) {
    report(`${location}: ${hook}`, error);
    return undefined;
  }
}

function answerText(answer: unknown, member: string | undefined): string {
  if (member === undefined) throw new HookAnswerError(answer, "nothing");
  const text = isRecord(answer) ? answer[member] : undefined;
  if (typeof text !== "string") throw new HookAnswerError(answer, `nothing or {${member}: string}`);
  return text;
}
