import type { AgentTool, ToolRegistry, ToolSource } from "@mdx-ai/loop";
import { type AgentDefinition, builtinToolNames, isReplaceable } from "@mdx-ai/parser";
import type { LoadedModules, ProgramModule } from "../types/module.ts";
import type { LoadedAgent, ReadAgent } from "./loaded-agent.ts";
import type { OpenModulesOptions, ToolCalls } from "./module-services.ts";
import { isOffered } from "./prompt-settings.ts";

/** For an agent without modules. */
export const NO_MODULES: LoadedModules = {
  names: [],
  tools: [],
  owners: new Map(),
  hooks: {
    names: [],
    beforePrompt: async () => ({ contexts: [] }),
    beforeTool: async () => ({}),
    afterTool: async () => [],
    beforeEnd: async () => [],
    onQuestion: async () => ({}),
    afterPrompt: async () => {},
  },
  isCurrent: () => true,
  forget: () => {},
  sections: () => [],
  start: async () => {},
  send: () => {},
  claim: () => false,
  stop: async () => {},
  settled: async () => {},
};

/** Adds modules. A module tool is left out if its name has been taken meanwhile or the settings exclude it. */
export function withModules(loaded: ReadAgent, modules: LoadedModules): LoadedAgent {
  const { owners } = modules;
  const { settings } = loaded.options.directory.definition;
  const tools = modules.tools.filter(({ name }) => isOffered(name, settings));
  if (tools.length === 0) return { ...loaded, modules };
  const byModule = Map.groupBy(tools, ({ name }) => owners.get(name) ?? "unknown");
  const sources = [...byModule].map(([module, own]): ToolSource => ({ origin: `module:${module}`, tools: () => own }));
  return { ...loaded, modules, sources: loaded.sources.with(sources) };
}

/** An agent whose modules will be opened, and the agent that it replaces. */
interface OpenedAgents {
  readonly loaded: ReadAgent;
  readonly before?: LoadedAgent | undefined;
}

/**
 * Loads, initializes and starts the heartbeat and the agent's modules; imports nothing if there are none. Modules of the
 * earlier agent keep running if they have not changed, or if the changed ones cannot be imported.
 */
export async function openModules({ loaded, before }: OpenedAgents, parts: OpenModulesOptions): Promise<LoadedModules> {
  if (before && isSameLife(before, loaded) && before.modules.isCurrent()) return before.modules;
  const { directory, programModules } = loaded.options;
  const { definition } = directory;
  const added = (await programModules?.modulesOf(directory, parts)) ?? [];
  if (!hasHeartbeat(definition) && definition.modules.length === 0 && added.length === 0) {
    await before?.modules.stop();
    return NO_MODULES;
  }
  const modules = await importModules({ loaded, before, added }, parts);
  if (modules !== before?.modules) await modules.start();
  return modules;
}

/** Whether two agents have the same modules and wake at the same times. */
const isSameLife = (one: ReadAgent, other: ReadAgent): boolean => Bun.deepEquals(lifeOf(one), lifeOf(other));

function lifeOf({ options }: ReadAgent): unknown {
  const { modules, heartbeat, settings } = options.directory.definition;
  return [modules, heartbeat, settings.schedule, settings.timezone, settings.memory, settings.hooks];
}

const hasHeartbeat = ({ heartbeat, settings }: AgentDefinition): boolean =>
  heartbeat !== undefined || settings.schedule !== undefined;

interface ImportedAgents extends OpenedAgents {
  /** Modules of the program. */
  readonly added: readonly ProgramModule[];
}

async function importModules(
  { loaded, before, added }: ImportedAgents,
  parts: OpenModulesOptions,
): Promise<LoadedModules> {
  const { log, change } = parts;
  const { options, sources } = loaded;
  const { clock, onWarning, directory } = options;
  const { path: agentDir, definition } = directory;
  const { loadModules } = await import("../modules/load-modules.ts");
  const { AsyncLocalStorage } = await import("node:async_hooks");
  const { LazySchedule, moduleServices } = await import("./module-services.ts");
  const toolCalls: ToolCalls = new AsyncLocalStorage();
  const schedule = new LazySchedule(options, parts);
  const modules = await loadModules({
    agentDir,
    paths: definition.modules,
    builtin: [...(hasHeartbeat(definition) ? [await schedule.heartbeat()] : []), ...added],
    takenNames: [...builtinToolNames, ...takenNames(sources.snapshot().registry.planned)],
    trusted: options.trusted?.imports,
    before: before?.modules,
    services: moduleServices({ options, parts, schedule, toolCalls }),
    duringPrompt: (work) => markedRunning(toolCalls, work),
    clock,
    log,
    onWarning,
  });
  if (modules === before?.modules) return modules;
  return {
    ...modules,
    tools: modules.tools.map((tool) => change(watchedTool(tool, toolCalls))),
    start: async () => {
      await modules.start();
      schedule.start();
    },
    stop: async () => {
      schedule.stop();
      await modules.stop();
    },
    settled: () => schedule.settled(),
  };
}

/** The tool names that modules cannot use. */
const takenNames = (tools: ToolRegistry["planned"]): readonly string[] =>
  tools.flatMap(({ name, origin }) => (origin === "builtin" && isReplaceable(name) ? [] : name));

/** Marks calls of the tool, to detect a prompt that would wait for itself. */
const watchedTool = (tool: AgentTool, toolCalls: ToolCalls): AgentTool => ({
  ...tool,
  execute: (args, context) => markedRunning(toolCalls, async () => tool.execute(args, context)),
});

/** Runs work as a part of the running prompt. */
async function markedRunning<Result>(toolCalls: ToolCalls, work: () => Promise<Result>): Promise<Result> {
  const call = { running: true };
  try {
    return await toolCalls.run(call, work);
  } finally {
    call.running = false;
  }
}
