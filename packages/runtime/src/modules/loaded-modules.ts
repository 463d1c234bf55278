import type { ModuleHooks } from "../types/module.ts";
import { awaitHook, callHook, type FailureReport, type HookEnd } from "./hook-call.ts";
import { type LiveModule, sectionText } from "./module-contract.ts";
import { areUnchanged, type FileHashes, forgetImports } from "./module-files.ts";
import { moduleHooks } from "./module-hooks.ts";
import { type ModuleTools, type ModuleToolsOptions, moduleTools } from "./module-tools.ts";

/** The modules of an open agent. A failure in one is logged and warned of, and affects nothing else. */
export interface LoadedModules extends ModuleTools {
  /** In the order of the modules. */
  readonly names: readonly string[];
  /** What the modules do around prompts and tool calls. */
  readonly hooks: ModuleHooks;
  /** Whether all could be imported and their files have not changed since. */
  isCurrent(): boolean;
  /** Makes the next import read their files again. */
  forget(): void;
  /** The modules' sections of the system prompt, computed for each prompt. Never throws. */
  sections(): string[];
  /** Starts all modules side by side and waits at most 10 s for each. Never rejects. */
  start(): Promise<void>;
  /** Stops all modules, the last first. A second call does nothing. Never throws. */
  stop(): void;
}

export interface LoadedModulesOptions extends ModuleToolsOptions {
  readonly initialized: readonly LiveModule[];
  /** Those that may hold something: the initialized ones and those whose `initialize` was late. */
  readonly toStop: readonly LiveModule[];
  /** The files that were imported. */
  readonly files: FileHashes;
  /** Whether all could be imported. */
  readonly isWhole: boolean;
}

/** Combines modules, and asks them for their tools. Never throws. */
export function loadedModules(options: LoadedModulesOptions): LoadedModules {
  const { initialized, toStop, agentDir, files, isWhole, report } = options;
  let stopped = false;
  return {
    names: initialized.map(({ name }) => name),
    ...moduleTools(initialized, options),
    hooks: moduleHooks(initialized, options),
    isCurrent: () => isWhole && areUnchanged(files),
    forget: () => forgetImports(files, agentDir),
    sections: () => initialized.flatMap((module) => section(module, report) ?? []),
    start: async () => {
      if (!stopped) await Promise.all(initialized.map((module) => startOne(module, options)));
    },
    stop: () => {
      if (stopped) return;
      stopped = true;
      for (const module of toStop.toReversed()) stopOne(module, report);
    },
  };
}

function section({ location, module }: LiveModule, report: FailureReport): string | undefined {
  return callHook({ location: `${location}: systemPrompt`, run: () => sectionText(module.systemPrompt()) }, report);
}

function startOne({ location, module }: LiveModule, { limit, report }: LoadedModulesOptions): Promise<HookEnd> {
  return awaitHook({ location: `${location}: start`, run: () => module.start() }, limit, report);
}

function stopOne({ location: file, module }: LiveModule, report: FailureReport): void {
  const location = `${file}: stop`;
  const answer: unknown = callHook({ location, run: () => module.stop() }, report);
  // Nothing waits for an async stop, but its failure must not end the process.
  if (answer instanceof Promise) answer.catch((error) => report(location, error));
}
