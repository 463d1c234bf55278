import { isRecord, untilAborted } from "@mdx-ai/base";
import type { PromptHook } from "@mdx-ai/loop";
import type { AgentModule, HookDenial, ModuleHooks, PromptContext } from "../types/module.ts";
import { callDuringPrompt, type PromptCallOptions } from "./hook-calls.ts";
import type { LiveModule } from "./live-module.ts";
import { HookAnswerError } from "./module-contract.ts";

const HOOKS: readonly PromptHook[] = ["beforePrompt", "beforeTool", "afterTool", "beforeEnd", "afterPrompt"];

/** Combines the hooks of modules around prompts and tool calls. */
export function moduleHooks(modules: readonly LiveModule[], options: Omit<PromptCallOptions, "report">): ModuleHooks {
  const ordered = modules.toSorted((one, other) => (one.location < other.location ? -1 : 1));
  const having = (hook: HookName): readonly LiveModule[] =>
    ordered.filter(({ module, hasHooks }) => module[hook] && hasHooks);
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
  { location, module, report }: LiveModule,
  { hook, call, members, signal }: HookCall,
  options: Omit<PromptCallOptions, "report">,
): Promise<AnswerText | undefined> {
  if (signal?.aborted) return undefined;
  try {
    const work = (): Promise<unknown> => callDuringPrompt(() => call(module), { ...options, limit: module.hookLimit });
    const answer = await (signal ? untilAborted(work, signal, () => undefined) : work());
    return answer === undefined ? undefined : answerText(answer, members);
  } catch (error) {
    report(`${location}: ${hook}`, error);
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
