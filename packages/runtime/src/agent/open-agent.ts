import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { openLog, silentLog } from "../log/agent-log.ts";
import { AgentMemory } from "../memory/agent-memory.ts";
import { baseDirTransform } from "../skills/base-dir.ts";
import { newState } from "../state/agent-state.ts";
import { loadState } from "../state/state-file.ts";
import { loadTelemetry } from "../telemetry/load-telemetry.ts";
import { inlineTool } from "../tool-host/inline-tool.ts";
import { openToolHost } from "../tool-host/tool-host.ts";
import { builtinTools } from "../tools/builtin-tools.ts";
import type { Agent, AgentOptions } from "../types/agent.ts";
import type { AgentTool } from "../types/tool.ts";
import { LocalAgent } from "./local-agent.ts";
import { openModules } from "./open-modules.ts";

/**
 * Opens an agent on this machine, in the order of the specification: state, modules, tools. Call `close` at the end.
 * The directory must have no errors and be trusted: that is for the caller to see to.
 */
export const openAgent = (options: AgentOptions): Promise<Agent> => openChangedAgent(options, (tool) => tool);

/** The same with other tools in the place of its own, which keep their names and what a model is told of them. */
export async function openChangedAgent(options: AgentOptions, change: (tool: AgentTool) => AgentTool): Promise<Agent> {
  const { path: agentDir, definition } = options.directory;
  const { cwd, environment } = options;
  const clock = options.clock ?? systemClock;
  const onWarning = options.onWarning ?? (() => {});
  const log = options.ephemeral ? silentLog : openLog({ directory: join(agentDir, "logs"), clock, onWarning });
  const state = options.ephemeral ? newState : await loadState(agentDir, { clock, onWarning });
  const host = openToolHost({ command: options.toolHostCommand, agentDir, cwd, environment });
  const readTransform = baseDirTransform({ skills: definition.skills, agentDir });
  const tools = [
    ...builtinTools({ agentDir, environment, readTransform }),
    ...definition.tools.map((tool) => inlineTool(tool, host)),
  ].map(change);
  const memory = new AgentMemory({ agentDir, clock, isEphemeral: options.ephemeral ?? false, onWarning });
  const telemetry = await loadTelemetry(environment, { agentName: definition.identity.name, clock, onWarning });
  const agent = new LocalAgent({ options, clock, log, state, host, tools, memory, onWarning, telemetry });
  const modules = await openModules({ options, clock, log, onWarning, tools, agent });
  await agent.use({ ...modules, tools: modules.tools.map(change) });
  return agent;
}
