import type { AgentTool } from "../types/tool.ts";
import type { FailureReport } from "./failure-report.ts";
import { sectionText } from "./hook-answer.ts";
import { awaitHook, callHook, type HookEnd } from "./hook-call.ts";
import type { LiveModule } from "./live-module.ts";
import { areUnchanged, type FileHashes, forgetImports } from "./module-files.ts";
import { moduleTools } from "./module-tools.ts";
import type { TimeLimit } from "./time-limit.ts";

/** The modules of an open agent. What goes wrong in one is logged and warned of, and costs nothing else. */
export interface LoadedModules {
  /** In the order of the modules. */
  readonly names: readonly string[];
  /** In the order of the modules. */
  readonly tools: readonly AgentTool[];
  /** Whether all could be imported, and their files hold what they held then. */
  isCurrent(): boolean;
  /** Has their files imported anew at the next import. */
  forget(): void;
  /** What the modules say to the model now; asked for anew for each prompt. Never throws. */
  sections(): string[];
  /** Starts all modules side by side; each is waited for 10 s at most. Never rejects. */
  start(): Promise<void>;
  /** Stops all modules, the last first. A second call does nothing. Never throws. */
  stop(): void;
}

export interface LoadedModulesOptions {
  readonly initialized: readonly LiveModule[];
  /** Those that may hold something: beside the initialized ones, those that did not end in their time. */
  readonly toStop: readonly LiveModule[];
  readonly takenNames: readonly string[];
  /** Absolute. */
  readonly agentDir: string;
  /** What they were imported from. */
  readonly files: FileHashes;
  /** Whether all could be imported. */
  readonly isWhole: boolean;
  readonly limit: TimeLimit;
  readonly report: FailureReport;
}

/** Binds modules together; asks them for their tools. Never throws. */
export function loadedModules(options: LoadedModulesOptions): LoadedModules {
  const { initialized, toStop, takenNames, agentDir, files, isWhole, report } = options;
  let stopped = false;
  return {
    names: initialized.map(({ name }) => name),
    tools: moduleTools(initialized, takenNames, options),
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

function section({ place, module }: LiveModule, report: FailureReport): string | undefined {
  return callHook({ place: `${place}: systemPrompt`, run: () => sectionText(module.systemPrompt()) }, report);
}

function startOne({ place, module }: LiveModule, { limit, report }: LoadedModulesOptions): Promise<HookEnd> {
  return awaitHook({ place: `${place}: start`, run: () => module.start() }, limit, report);
}

function stopOne({ place: file, module }: LiveModule, report: FailureReport): void {
  const place = `${file}: stop`;
  const answer: unknown = callHook({ place, run: () => module.stop() }, report);
  // An async stop is not waited for, but its failure must not end the process.
  if (answer instanceof Promise) answer.catch((error) => report(place, error));
}
