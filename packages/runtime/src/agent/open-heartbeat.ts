import { type JsonObject, lineText } from "@mdx-ai/base";
import { type AgentTool, contentText, type ToolResult } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import type { HeartbeatReceiver, ToolCode, ToolDefinition } from "@mdx-ai/parser";
import { taskTime } from "@mdx-ai/parser/task-time";
import { AgentSchedule } from "../heartbeat/agent-schedule.ts";
import { ScheduleError } from "../heartbeat/due-times.ts";
import type { CodeResult } from "../heartbeat/heartbeat-code.ts";
import { HeartbeatModule } from "../heartbeat/heartbeat-module.ts";
import type { HeartbeatNews } from "../heartbeat/heartbeat-scheduler.ts";
import type { HeartbeatTask } from "../heartbeat/heartbeat-tasks.ts";
import { notify } from "../heartbeat/notify.ts";
import type { RunEnd, Wake } from "../heartbeat/wake.ts";
import type { AgentLog } from "../log/agent-log.ts";
import type { LiveModule } from "../modules/live-module.ts";
import type { Agent } from "../types/agent.ts";
import type { ModuleTask } from "../types/module.ts";
import { type OpenOptions, toolsFolder } from "./load-agent.ts";

/** What the schedule and the heartbeat of an open agent use of it. */
interface HeartbeatHost {
  readonly agent: Agent;
  readonly log: Pick<AgentLog, "write">;
  runCode(tool: ToolDefinition, args: JsonObject): Promise<ToolResult>;
  isClosing(): boolean;
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
      isClosing: () => host.isClosing(),
    },
  });
}

/** Adds a task of a module. Throws `ScheduleError`. */
export function scheduleTask(
  schedule: AgentSchedule,
  task: ModuleTask,
  { key, signal }: Pick<LiveModule, "key" | "signal">,
  { timezone: usual }: { readonly timezone?: string | undefined },
): () => void {
  const { name, when, missed, timezone = usual } = task;
  const time = taskTime(when);
  if (time === undefined)
    throw new ScheduleError(
      `unexpected ${JSON.stringify(when)}, expected "15m", "every day at 09:00" or a line of cron`,
    );
  const known: HeartbeatTask = {
    ...{ name: `${key}: ${name}`, times: [time], isOfModule: true, directives: missed === undefined ? {} : { missed } },
    ...(timezone !== undefined && { timezone }),
  };
  const remove = schedule.add(known, (wake) => runTask(task, wake, signal));
  signal.addEventListener("abort", remove, { once: true });
  return remove;
}

/** A run that its module's end interrupts is begun again by the next process. */
async function runTask(
  task: ModuleTask,
  { due: [first], now, isResumed }: Wake,
  signal: AbortSignal,
): Promise<RunEnd | undefined> {
  const { due = now, count = 0 } = first ?? {};
  try {
    await task.run({ due: new Date(due).toISOString(), count, isResumed, signal });
    return { outcome: "done", usd: 0, tokens: 0 };
  } catch (error) {
    return signal.aborted ? undefined : { outcome: "error", usd: 0, tokens: 0, reason: lineText(error) };
  }
}

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
