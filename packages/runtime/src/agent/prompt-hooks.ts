import type { PromptHooks } from "../loop/prompt-effects.ts";
import type { ModuleHooks } from "../types/module.ts";
import type { ToolRegistry } from "../types/tool-registry.ts";

/** The prompt that hooks are called for. */
interface HookedPrompt {
  readonly session: string;
  readonly prompt: number;
  readonly tools: Pick<ToolRegistry, "argumentsOf" | "nameOf">;
}

/** The hooks of an agent's modules as the loop calls them. */
export function promptHooks(hooks: ModuleHooks, { session, prompt, tools }: HookedPrompt): PromptHooks {
  const about = { session, prompt };
  return {
    beforePrompt: async (input, signal) => {
      const { contexts } = await hooks.beforePrompt({ ...about, input, signal });
      return contexts.map(({ text }) => text);
    },
    beforeTool: async (call, signal) => {
      const args = tools.argumentsOf(call);
      const { deny } = await hooks.beforeTool({
        ...about,
        callId: call.id,
        tool: tools.nameOf(call.name),
        args,
        signal,
      });
      return deny && `not run: ${deny.reason === "" ? `the module ${deny.module} denied it` : deny.reason}`;
    },
    afterTool: async (call, { content, details, isError }, signal) => {
      const args = tools.argumentsOf(call);
      const result = { content, ...(details !== undefined && { details }) };
      const tool = tools.nameOf(call.name);
      await hooks.afterTool({ ...about, callId: call.id, tool, args, signal, result, isError });
    },
    afterPrompt: (outcome, text) => hooks.afterPrompt({ ...about, outcome, text }),
  };
}
