import type { AgentEvent, ToolSource } from "@mdx-ai/loop";
import type { ModuleHooks } from "../types/module.ts";
import type { LiveModule } from "./live-module.ts";

/** The modules of an open agent. A failure in one is logged with a warning and affects nothing else. */
export interface LoadedModules {
  /** The initialized modules, in order. */
  readonly live: readonly LiveModule[];
  /** The tools of each module, in the same order. */
  readonly sources: readonly ToolSource[];
  /** The modules' hooks around prompts and tool calls. */
  readonly hooks: ModuleHooks;
  /** Whether every module was imported and no module file has changed since. */
  isCurrent(): boolean;
  /** Makes the next import read the module files again. */
  forget(): void;
  /** The modules' sections of the system prompt, computed for each prompt. Never throws. */
  sections(): string[];
  /** Starts all modules that do not run yet side by side and waits at most 10 s for each. Never rejects. */
  start(): Promise<void>;
  /** Passes on an event of a session to the modules that subscribed. Never throws. */
  send(event: AgentEvent, session: string): void;
  /** Whether an error that no code awaits is a module's, which it is then reported for. Never throws. */
  claim(error: unknown): boolean;
  /** Stops all modules but those with `isKept`, in reverse order, and waits at most 5 s for each. A second call waits, too. Never rejects. */
  stop(): Promise<void>;
  /** Stops the modules with `isKept` that none of `others` has. Never rejects. */
  release(others?: readonly LoadedModules[]): Promise<void>;
  /** Resolves when no scheduled task of stopped modules runs, or after 5 s. Never rejects. */
  settled(): Promise<void>;
}
