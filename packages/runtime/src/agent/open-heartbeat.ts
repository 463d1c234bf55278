import type { JsonObject } from "@mdx-ai/base";
import { type AgentTool, contentText, type ToolResult } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import type { HeartbeatReceiver, ToolCode, ToolDefinition } from "@mdx-ai/parser";
import { sessionFree } from "@mdx-ai/sessions";
import { AgentSchedule } from "../heartbeat/agent-schedule.ts";
import type { CodeResult } from "../heartbeat/heartbeat-code.ts";
import { HeartbeatModule } from "../heartbeat/heartbeat-module.ts";
import type { HeartbeatNews } from "../heartbeat/heartbeat-scheduler.ts";
import { notify } from "../heartbeat/notify.ts";
import type { AgentLog } from "../log/agent-log.ts";
import type { Agent } from "../types/agent.ts";
import type { OpenOptions } from "./loaded-agent.ts";
import { toolsFolder } from "./prompt-settings.ts";

/** What the schedule and the heartbeat of an open agent use of it. */
interface HeartbeatHost {
  readonly agent: Agent;
  readonly log: Pick<AgentLog, "write">;
  runCode(tool: ToolDefinition, args: JsonObject): Promise<ToolResult>;
  /** Fires when the agent is closed. */
  readonly closing: AbortSignal;
}

/** The schedule of an open agent, without tasks. */
export function openSchedule(options: OpenOptions, { agent, log }: HeartbeatHost): AgentSchedule {
  const { dataDirectory: dataDir, directory, wakes = true, clock, ephemeral, environment, onlyTask } = options;
  const report = reporter(options, log);
  const session = (id?: string) => agent.session(id);
  const parts = { agentDir: directory.path, environment, session, report };
  return new AgentSchedule({
    ...{ dataDir, clock, wakes, ephemeral, onlyTask, report },
    notify: (receivers: readonly HeartbeatReceiver[], news: HeartbeatNews) => void notify(receivers, news, parts),
  });
}

const reporter =
  ({ onWarning }: OpenOptions, log: Pick<AgentLog, "write">) =>
  (problem: string): void => {
    void log.write(`heartbeat: ${problem}`);
    onWarning(`heartbeat: ${problem}`);
  };

/** The heartbeat of an open agent. */
export function openHeartbeat(options: OpenOptions, host: HeartbeatHost, schedule: AgentSchedule): HeartbeatModule {
  const { directory, clock, environment } = options;
  const { heartbeat: definition, settings } = directory.definition;
  const { signal } = new AbortController();
  const folders = { agentDir: directory.path, cwd: toolsFolder(options) };
  const callTool = async (name: string, input: JsonObject): Promise<ToolResult | string> => {
    const tool = host.agent.permittedTools.find((one) => one.name === name);
    if (tool === undefined) return { content: [{ type: "text", text: `no tool \`${name}\`` }], isError: true };
    const call = { sessionId: "heartbeat", callId: crypto.randomUUID(), log: async () => {}, update: () => {} };
    return tool.execute(argumentsOf(tool, input), { ...folders, ...call, signal });
  };
  return new HeartbeatModule({
    ...{ definition, settings, clock, schedule, report: reporter(options, host.log) },
    onEvent: options.onBackgroundEvent,
    agent: {
      session: (id) => host.agent.session(id),
      openModel: options.openModel ?? ((reference) => openModel(reference, { environment })),
      runCode: async (code, { name, input }) =>
        resultOf(
          code.type === "block" ? await host.runCode(toolOf(code.code, name), input) : await callTool(code.name, input),
        ),
      sessionFree: (id) =>
        sessionFree(options.dataDirectory, id, { signal: host.closing, onHolder: inUse(id, host.log) }),
      isClosing: () => host.closing.aborted,
    },
  });
}

const inUse =
  (id: string, log: Pick<AgentLog, "write">) =>
  (holder: string): void =>
    void log.write(`heartbeat: session ${id} is in use by ${holder}; waiting until it is free`);

/** A block of heartbeat.md as a tool that calls its function with one object. */
function toolOf(code: ToolCode, name: string): ToolDefinition {
  const call = `async function execute(args, ctx) { return ${name}({ ...ctx, ...args }); }`;
  return {
    ...{ name: `@${name}`, description: "", parameters: [], examples: [], environment: [], position: code.position },
    code: { ...code, text: `${code.text}\n${call}` },
  };
}

/** The parts of the input that the tool has parameters for. */
function argumentsOf({ parameters }: AgentTool, input: JsonObject): JsonObject {
  const { properties = {} } = parameters;
  return Object.fromEntries(Object.entries(input).filter(([key]) => key in Object(properties)));
}

const resultOf = (result: ToolResult | string): CodeResult =>
  typeof result === "string"
    ? { text: result, isError: false }
    : { text: contentText(result.content), isError: result.isError ?? false };
