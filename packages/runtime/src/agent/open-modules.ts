import type { AsyncLocalStorage } from "node:async_hooks";
import { type JsonObject, lineText } from "@mdx-ai/base";
import {
  type AgentTool,
  type AnswerWords,
  answerText,
  type ToolRegistry,
  type ToolResult,
  type ToolSource,
} from "@mdx-ai/loop";
import { type AgentDefinition, builtinToolNames, isReplaceable, type ToolDefinition } from "@mdx-ai/parser";
import { AgentClosedError } from "../agent-closed-error.ts";
import type { AgentSchedule } from "../heartbeat/agent-schedule.ts";
import type { ModuleServices } from "../modules/module-context.ts";
import type { Agent } from "../types/agent.ts";
import type {
  AgentModule,
  LoadedModules,
  ModulePromptOptions,
  ProgramHost,
  ProgramModule,
  PromptResult,
} from "../types/module.ts";
import { isOffered, type LoadAgentOptions, type LoadedAgent, type OpenOptions, type ReadAgent } from "./load-agent.ts";

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

interface OpenModulesOptions extends LoadAgentOptions, ModuleHost {
  readonly agent: Agent;
}

/** What an agent offers to the runtime's own modules. */
export interface ModuleHost extends ProgramHost {
  /** Runs code as an inline tool runs, in the current tool host. Never rejects. */
  runCode(tool: ToolDefinition, args: JsonObject): Promise<ToolResult>;
  /** Whether the agent is being closed. */
  readonly isClosing: () => boolean;
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
  const toolCalls = new AsyncLocalStorage<{ running: boolean }>();
  const schedule = new LazySchedule(options, parts);
  const modules = await loadModules({
    agentDir,
    paths: definition.modules,
    builtin: [...(hasHeartbeat(definition) ? [await schedule.heartbeat()] : []), ...added],
    takenNames: [...builtinToolNames, ...takenNames(sources.snapshot().registry.planned)],
    trusted: options.trusted?.imports,
    before: before?.modules,
    services: services({ options, parts, schedule, toolCalls }),
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

interface ServiceParts {
  readonly options: OpenOptions;
  readonly parts: OpenModulesOptions;
  readonly schedule: LazySchedule;
  readonly toolCalls: AsyncLocalStorage<{ running: boolean }>;
}

function services({ options, parts, schedule, toolCalls }: ServiceParts): ModuleServices {
  const { log, agent } = parts;
  const { directory, dataDirectory: dataDir, ephemeral: isEphemeral = false } = options;
  return {
    ...{ agentDir: directory.path, dataDir, isEphemeral },
    log: (message) => log.write(message),
    prompt: (message, said) => {
      const isReentrant = toolCalls.getStore()?.running === true;
      const answer = isReentrant
        ? Promise.reject(new ReentrantPromptError())
        : backgroundPrompt(options, parts, message, said);
      // A failure that is not awaited must not end the process.
      answer.catch((error) => log.note(`a prompt of a module failed: ${lineText(error)}`));
      return answer;
    },
    schedule: (task, module) => {
      const added = schedule.add(task, module);
      added.catch((error) => log.note(`a task of ${module.key} is left out: ${lineText(error)}`));
      return added;
    },
    answer: async (question, words: AnswerWords, session) => agent.session(session).answer(question, words),
  };
}

/** The schedule of an agent, opened with its first task. */
class LazySchedule {
  readonly #options: OpenOptions;
  readonly #parts: OpenModulesOptions;
  #opened: AgentSchedule | undefined;
  #isStarted = false;

  constructor(options: OpenOptions, parts: OpenModulesOptions) {
    this.#options = options;
    this.#parts = parts;
  }

  async heartbeat(): Promise<AgentModule> {
    const { openHeartbeat, openSchedule } = await import("./open-heartbeat.ts");
    this.#opened = openSchedule(this.#options, this.#parts);
    return openHeartbeat(this.#options, this.#parts, this.#opened);
  }

  async add(...[task, module]: Parameters<ModuleServices["schedule"]>): Promise<() => void> {
    const { openSchedule, scheduleTask } = await import("./open-heartbeat.ts");
    if (module.signal.aborted) return () => {};
    this.#opened ??= openSchedule(this.#options, this.#parts);
    const remove = scheduleTask(this.#opened, task, module, this.#options.directory.definition.settings);
    if (this.#isStarted) this.#opened.start();
    return remove;
  }

  start(): void {
    this.#isStarted = true;
    this.#opened?.start();
  }

  stop(): void {
    this.#isStarted = false;
    this.#opened?.stop();
  }

  async settled(): Promise<void> {
    await this.#opened?.settled();
  }
}

/** The tool names that modules cannot use. */
const takenNames = (tools: ToolRegistry["planned"]): readonly string[] =>
  tools.flatMap(({ name, origin }) => (origin === "builtin" && isReplaceable(name) ? [] : name));

/** Runs a prompt of a module through the same queue and loop as the user's. */
async function backgroundPrompt(
  options: OpenOptions,
  { agent, isClosing }: Pick<OpenModulesOptions, "agent" | "isClosing">,
  message: string,
  { session, signal: given, ...said }: ModulePromptOptions,
): Promise<PromptResult> {
  const stop = new AbortController();
  // A closed agent leaves the prompt as a kill does: the next process continues it.
  const onAbort = (): void => {
    if (!isClosing()) stop.abort();
  };
  given?.addEventListener("abort", onAbort, { once: true });
  if (given?.aborted) onAbort();
  let result: PromptResult = { text: "", outcome: "aborted" };
  try {
    for await (const event of agent.session(session).prompt(message, { ...said, signal: stop.signal })) {
      options.onBackgroundEvent?.(event);
      if (event.type === "agent_end") result = { text: answerText(event.messages), outcome: event.outcome };
    }
  } catch (error) {
    // A module may still be running while the agent closes.
    if (!(error instanceof AgentClosedError)) throw error;
  } finally {
    given?.removeEventListener("abort", onAbort);
  }
  return result;
}

/** Marks calls of the tool, to detect a prompt that would wait for itself. */
const watchedTool = (tool: AgentTool, toolCalls: AsyncLocalStorage<{ running: boolean }>): AgentTool => ({
  ...tool,
  execute: (args, context) => markedRunning(toolCalls, async () => tool.execute(args, context)),
});

/** Runs work as a part of the running prompt. */
async function markedRunning<Result>(
  toolCalls: AsyncLocalStorage<{ running: boolean }>,
  work: () => Promise<Result>,
): Promise<Result> {
  const call = { running: true };
  try {
    return await toolCalls.run(call, work);
  } finally {
    call.running = false;
  }
}

/** A module awaits a prompt within a tool call or a hook: the running prompt would wait for itself forever. */
export class ReentrantPromptError extends Error {
  override readonly name = "ReentrantPromptError";

  constructor() {
    super(
      "ctx.prompt() cannot be awaited within a tool call or a hook: the prompt would wait for itself; call it after the tool or hook has returned",
    );
  }
}
