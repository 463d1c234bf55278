import { AsyncLocalStorage } from "node:async_hooks";
import type { AgentLog } from "../log/agent-log.ts";
import { lineText } from "../log/line-text.ts";
import type { LoadedModules } from "../modules/loaded-modules.ts";
import type { Agent, AgentOptions, Clock } from "../types/agent.ts";
import type { AgentModule, ModuleContext, PromptResult } from "../types/module.ts";
import type { AgentTool } from "../types/tool.ts";
import { AgentClosedError } from "./agent-closed-error.ts";
import { answerText } from "./answer-text.ts";
import { ReentrantPromptError } from "./reentrant-prompt-error.ts";

interface OpenModulesOptions {
  readonly options: AgentOptions;
  readonly clock: Clock;
  readonly log: AgentLog;
  readonly onWarning: (message: string) => void;
  /** The tools that come before those of the modules. */
  readonly tools: readonly AgentTool[];
  readonly agent: Agent;
}

/** Loads and initializes the heartbeat and the agent's own modules; imports nothing where there are none. */
export async function openModules(parts: OpenModulesOptions): Promise<LoadedModules> {
  const { options, clock, log, onWarning, tools } = parts;
  const { path: agentDir, definition } = options.directory;
  const hasHeartbeat = definition.heartbeat !== undefined || definition.settings.schedule !== undefined;
  if (!hasHeartbeat && definition.modules.length === 0) return NO_MODULES;

  const { loadModules } = await import("../modules/load-modules.ts");
  const toolCalls = new AsyncLocalStorage<{ running: boolean }>();
  const loaded = await loadModules({
    agentDir,
    paths: definition.modules,
    builtin: hasHeartbeat ? [await heartbeat(parts)] : [],
    takenNames: tools.map((tool) => tool.name),
    context: {
      agentDir,
      log: (message) => log.write(message),
      prompt: (message) => {
        const isReentrant = toolCalls.getStore()?.running === true;
        const answer = isReentrant ? Promise.reject(new ReentrantPromptError()) : backgroundPrompt(parts, message);
        // One that nobody waits for must not end the process.
        answer.catch((error) => log.note(`a prompt of a module failed: ${lineText(error)}`));
        return answer;
      },
    } satisfies ModuleContext,
    clock,
    log,
    onWarning,
  });
  return { ...loaded, tools: loaded.tools.map((tool) => watchedTool(tool, toolCalls)) };
}

const NO_MODULES: LoadedModules = { names: [], tools: [], sections: () => [], start: async () => {}, stop: () => {} };

async function heartbeat({ options, clock, onWarning }: OpenModulesOptions): Promise<AgentModule> {
  const { heartbeatModule } = await import("../heartbeat/heartbeat-module.ts");
  const { path: agentDir, definition } = options.directory;
  return heartbeatModule({
    agentDir,
    definition: definition.heartbeat,
    settings: definition.settings,
    clock,
    wakes: options.wakes ?? true,
    ephemeral: options.ephemeral,
    onWarning,
  });
}

/** A prompt of a module or of the heartbeat: the same queue and the same loop as the user's. */
async function backgroundPrompt({ options, agent }: OpenModulesOptions, message: string): Promise<PromptResult> {
  let result: PromptResult = { text: "", outcome: "aborted" };
  try {
    for await (const event of agent.prompt(message)) {
      options.onBackgroundEvent?.(event);
      if (event.type === "agent_end") result = { text: answerText(event.messages), outcome: event.outcome };
    }
  } catch (error) {
    // A module that is at work while the agent closes did nothing wrong.
    if (!(error instanceof AgentClosedError)) throw error;
  }
  return result;
}

/** Marks what runs within a call of the tool, so that a prompt that would wait for itself is told apart. */
const watchedTool = (tool: AgentTool, toolCalls: AsyncLocalStorage<{ running: boolean }>): AgentTool => ({
  ...tool,
  execute: async (args, context) => {
    const call = { running: true };
    try {
      return await toolCalls.run(call, () => tool.execute(args, context));
    } finally {
      call.running = false;
    }
  },
});
