import type { PromptHooks } from "../loop/prompt-effects.ts";

/** The hooks of an agent whose modules have none. */
export const NO_HOOKS: PromptHooks = {
  beforePrompt: async () => [],
  beforeTool: async () => undefined,
  afterTool: async () => {},
  afterPrompt: async () => {},
};
