import type { AgentTool } from "@mdx-ai/loop";
import type { ModuleHooks } from "../types/module.ts";

/** The modules of an open agent. A failure in one is logged with a warning and affects nothing else. */
export interface LoadedModules {
  /** In the order of the modules. */
  readonly tools: readonly AgentTool[];
  /** The module that each tool belongs to, by the tool's name. */
  readonly owners: ReadonlyMap<string, string>;
  /** In the order of the modules. */
  readonly names: readonly string[];
  /** The modules' hooks around prompts and tool calls. */
  readonly hooks: ModuleHooks;
  /** Whether every module was imported and no module file has changed since. */
  isCurrent(): boolean;
  /** Makes the next import read the module files again. */
  forget(): void;
  /** The modules' sections of the system prompt, computed for each prompt. Never throws. */
  sections(): string[];
  /** Starts all modules side by side and waits at most 10 s for each. Never rejects. */
  start(): Promise<void>;
  /** Stops all modules in reverse order. A second call does nothing. Never throws. */
  stop(): void;
}

/** For an agent without modules. */
export const NO_MODULES: LoadedModules = {
  names: [],
  tools: [],
  owners: new Map(),
  hooks: {
    names: [],
    beforePrompt: async () => ({ contexts: [] }),
    beforeTool: async () => ({}),
    afterTool: async () => {},
    afterPrompt: async () => {},
  },
  isCurrent: () => true,
  forget: () => {},
  sections: () => [],
  start: async () => {},
  stop: () => {},
};
