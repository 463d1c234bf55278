import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentTool } from "@mdx-ai/loop";
import type { AgentModule } from "@mdx-ai/runtime";
import { openLog } from "../../packages/runtime/src/log/agent-log.ts";
import { type LoadModulesOptions, loadModules } from "../../packages/runtime/src/modules/load-modules.ts";
import type { ModuleServices } from "../../packages/runtime/src/modules/module-context.ts";

export type { LoadedModules } from "../../packages/runtime/src/modules/loaded-modules.ts";

import type { LoadedModules } from "../../packages/runtime/src/modules/loaded-modules.ts";
import type { TrustedImports } from "../../packages/sandbox/src/imports/verify-imports.ts";
import { writeFiles } from "./agent-files.ts";
import { HandClock } from "./hand-clock.ts";

/** What a test wants to be loaded. */
export interface BenchOptions {
  /** The files of `modules/` by name, and their text. */
  readonly files?: Readonly<Record<string, string>>;
  readonly builtin?: readonly AgentModule[];
  readonly takenNames?: readonly string[];
  readonly duringPrompt?: LoadModulesOptions["duringPrompt"];
}

/** A directory with modules, as an agent would load it, and what can be seen of it from outside. */
export interface ModuleBench {
  readonly clock: HandClock;
  readonly warnings: readonly string[];
  /** What the modules prompted; each prompt is answered with its own text in capitals. */
  readonly prompts: readonly string[];
  /** `before` are running modules that these replace. */
  load(trusted?: TrustedImports, before?: LoadedModules): Promise<LoadedModules>;
  /** The messages of the log so far. */
  logged(): Promise<string[]>;
}

/** Writes module files into a directory and makes ready to load them. */
export function moduleBench(
  directory: string,
  { files = {}, builtin = [], takenNames = [], duringPrompt }: BenchOptions,
): ModuleBench {
  const paths = Object.keys(files).map((name) => `modules/${name}`);
  writeFiles(join(directory, "modules"), files);
  const clock = new HandClock("2026-11-21T11:00:00.000Z");
  const warnings: string[] = [];
  const prompts: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const log = openLog({ directory: join(directory, "logs"), clock, onWarning });
  const services: ModuleServices = {
    ...{ agentDir: directory, dataDir: directory, isEphemeral: false },
    log: (message) => log.write(message),
    prompt: async (message) => {
      prompts.push(message);
      return { text: message.toUpperCase(), outcome: "done", usd: 0, tokens: 0 };
    },
    schedule: async () => () => {},
    answer: async () => {},
  };
  return {
    clock,
    warnings,
    prompts,
    load: (trusted, before) => {
      const options = {
        agentDir: directory,
        paths,
        builtin,
        takenNames,
        services,
        duringPrompt,
        clock,
        log,
        onWarning,
      };
      return loadModules({ ...options, trusted, before });
    },
    logged: async () => {
      await log.write("the end");
      const lines = readFileSync(join(directory, "logs/2026-11-21.log"), "utf8").trimEnd().split("\n");
      return lines.slice(0, -1).map((line) => line.slice(line.indexOf(" ") + 1));
    },
  };
}

/** The text of a module file: a whole module but for what `members` say instead. */
export function moduleText(members: string): string {
  return `import type { AgentModule } from "mdx-ai";
const whole = {
  describe: () => ({ name: "whole", description: "Does nothing" }),
  initialize: async () => {},
  tools: () => [],
  systemPrompt: () => "",
  start: async () => {},
  stop: () => {},
} satisfies AgentModule;
export default { ...whole, ${members} };
`;
}

/** The names of the modules, in order. */
export const namesOf = ({ live }: LoadedModules): readonly string[] => live.map(({ name }) => name);

/** The tools of all modules, in order. */
export const toolsOf = ({ sources }: LoadedModules): readonly AgentTool[] =>
  sources.flatMap((source) => source.tools());
