import type { AgentTool, ToolRegistry, ToolSource } from "@mdx-ai/loop";
import { type AgentDefinition, builtinToolNames, isReplaceable } from "@mdx-ai/parser";
import { textMatcher } from "@mdx-ai/permissions";
import { declaredServers, serversOfDirectory } from "../mcp/declared-servers.ts";
import type { McpServer } from "../mcp/mcp-server.ts";
import type { LoadedModules } from "../modules/loaded-modules.ts";
import type { ProgramModule } from "../types/module.ts";
import type { LoadedAgent, ReadAgent } from "./loaded-agent.ts";
import type { OpenModulesOptions, ToolCalls } from "./module-services.ts";
import { toolsFolder } from "./prompt-settings.ts";

/** For an agent without modules. */
export const NO_MODULES: LoadedModules = {
  live: [],
  sources: [],
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
  release: async () => {},
  settled: async () => {},
};

/** The modules of an agent, and the MCP servers among them. */
type OpenedModules = Pick<LoadedAgent, "modules" | "servers">;

/** Adds modules. A module tool is left out if its name has been taken meanwhile or the settings exclude it. */
export function withModules(
  loaded: ReadAgent,
  { modules, servers }: OpenedModules,
  { change }: Pick<OpenModulesOptions, "change">,
): LoadedAgent {
  const { sources } = modules;
  if (sources.length === 0) return { ...loaded, modules, servers };
  const { settings } = loaded.options.directory.definition;
  const isOffered = (name: string): boolean => settings.tools?.some((named) => textMatcher(named)(name)) !== false;
  const offered = sources.map((source) => ({
    ...source,
    tools: () => source.tools().flatMap((tool) => (isOffered(tool.name) ? change(tool) : [])),
  }));
  return { ...loaded, modules, servers, sources: loaded.sources.with(offered) };
}

/** An agent whose modules will be opened, and the agent that it replaces. */
interface OpenedAgents {
  readonly loaded: ReadAgent;
  readonly before?: LoadedAgent | undefined;
}

/**
 * Loads, initializes and starts the heartbeat, the MCP servers and the agent's modules; imports nothing if there are none. Modules of the
 * earlier agent keep running if they have not changed, or if the changed ones cannot be imported.
 */
export async function openModules({ loaded, before }: OpenedAgents, parts: OpenModulesOptions): Promise<OpenedModules> {
  if (before && isSameLife(before, loaded) && before.modules.isCurrent()) return before;
  const { directory, programModules } = loaded.options;
  const { definition } = directory;
  const servers = await openServers({ loaded, before }, parts);
  const added = [
    ...servers.map(({ module }) => module),
    ...((await programModules?.modulesOf(directory, parts)) ?? []),
  ];
  if (!hasHeartbeat(definition) && definition.modules.length === 0 && added.length === 0) {
    await before?.modules.stop();
    return { modules: NO_MODULES, servers };
  }
  const modules = await importModules({ loaded, before, added }, parts);
  if (modules === before?.modules) return before;
  await modules.start();
  return { modules, servers };
}

/** Loads the code for MCP servers if there are any. */
async function openServers(
  { loaded: { options }, before }: OpenedAgents,
  parts: OpenModulesOptions,
): Promise<readonly McpServer[]> {
  const declared = declaredServers(options.directory, options.servers ?? [], options.onWarning);
  if (declared.length === 0) return [];
  const { openServers: open } = await import("../mcp/mcp-servers.ts");
  return open(declared, options, { ...parts, folder: toolsFolder(options), before: before?.servers ?? [] });
}

/** Whether two agents have the same modules and wake at the same times. */
const isSameLife = (one: ReadAgent, other: ReadAgent): boolean => Bun.deepEquals(lifeOf(one), lifeOf(other));

function lifeOf({ options: { directory } }: ReadAgent): unknown {
  const { modules, heartbeat, settings } = directory.definition;
  const { schedule, timezone, memory, hooks } = settings;
  return [modules, heartbeat, schedule, timezone, memory, hooks, serversOfDirectory(directory)];
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
  const { log } = parts;
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
    sources: modules.sources.map((source) => watchedSource(source, toolCalls)),
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

/** Marks calls of its tools, to detect a prompt that would wait for itself. */
const watchedSource = (source: ToolSource, toolCalls: ToolCalls): ToolSource => ({
  ...source,
  tools: () => source.tools().map((tool) => watchedTool(tool, toolCalls)),
});

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
