import type { AgentTool } from "./tool.ts";

/** How a prompt ended, and the model's last text. */
export interface PromptResult {
  readonly text: string;
  readonly outcome: PromptOutcome;
}

/** Why a prompt ended. */
export type PromptOutcome = "done" | "error" | "aborted" | "limit";

/** What a module may do. */
export interface ModuleContext {
  /** Absolute. */
  readonly agentDir: string;
  /**
   * Works off a message as if the user had sent it, after those that wait already.
   * Rejects when called from within a running prompt, which would wait for itself, and where the session cannot be used;
   * that is logged too. The outcome is "aborted" where the agent was closed meanwhile.
   */
  prompt(message: string): Promise<PromptResult>;
  /** Writes a line to the agent's log. Never rejects. */
  log(message: string): Promise<void>;
}

/**
 * The default export of a file in `modules/`. A throw in any hook is logged and costs the agent that hook alone.
 *
 * @example
 * ```ts
 * import type { AgentModule } from "mdx-ai";
 *
 * export default {
 *   describe: () => ({ name: "clock", description: "Knows the time" }),
 *   initialize: async () => {},
 *   tools: () => [],
 *   systemPrompt: () => "",
 *   start: async () => {},
 *   stop: () => {},
 * } satisfies AgentModule;
 * ```
 */
export interface AgentModule {
  describe(): { readonly name: string; readonly description: string };
  initialize(context: ModuleContext): Promise<void>;
  tools(): AgentTool[];
  systemPrompt(): string;
  start(): Promise<void>;
  stop(): void;
}
