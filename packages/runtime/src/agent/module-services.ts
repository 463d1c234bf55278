import type { AsyncLocalStorage } from "node:async_hooks";
import { type JsonObject, lineText, whenAborted } from "@mdx-ai/base";
import { type AgentEvent, type AnswerWords, answerText, type ToolResult } from "@mdx-ai/loop";
import type { ToolDefinition } from "@mdx-ai/parser";
import { UnknownSessionError } from "@mdx-ai/sessions";
import { AgentClosedError } from "../agent-closed-error.ts";
import type { AgentSchedule } from "../heartbeat/agent-schedule.ts";
import type { RunModuleTask, RunningTask, ScheduledTask } from "../heartbeat/module-task.ts";
import type { LiveModule } from "../modules/live-module.ts";
import type { ModuleServices } from "../modules/module-context.ts";
import { ReentrantPromptError } from "../modules/reentrant-prompt-error.ts";
import type { Agent } from "../types/agent.ts";
import type { AgentModule, ModulePromptOptions, ProgramHost, PromptResult } from "../types/module.ts";
import type { Session } from "../types/session.ts";
import type { LoadAgentOptions, OpenOptions } from "./loaded-agent.ts";

export interface OpenModulesOptions extends LoadAgentOptions, ModuleHost {
  readonly agent: Agent;
}

/** What an agent offers to the runtime's own modules. */
export interface ModuleHost extends ProgramHost {
  /** Runs code as an inline tool runs, in the current tool host. Never rejects. */
  runCode(tool: ToolDefinition, args: JsonObject): Promise<ToolResult>;
  /** Fires when the agent is closed. */
  readonly closing: AbortSignal;
}

/** The tool call, the hook or the task that code runs in. */
export type ToolCalls = AsyncLocalStorage<RunningCode>;

interface RunningCode {
  /** Whether a prompt waits for it. */
  running: boolean;
  readonly task?: RunningTask;
}

interface ServiceParts {
  readonly options: OpenOptions;
  readonly parts: OpenModulesOptions;
  readonly schedule: LazySchedule;
  readonly toolCalls: ToolCalls;
}

/** What the agent does for its modules. */
export function moduleServices({ options, parts, schedule, toolCalls }: ServiceParts): ModuleServices {
  const { log, agent } = parts;
  const { directory, dataDirectory: dataDir, ephemeral: isEphemeral = false } = options;
  return {
    ...{ agentDir: directory.path, dataDir, isEphemeral },
    log: (message) => log.write(message),
    prompt: (message, said) => {
      const isReentrant = toolCalls.getStore()?.running === true;
      const answer = isReentrant
        ? Promise.reject(new ReentrantPromptError())
        : backgroundPrompt(options, parts, message, { ...said, task: toolCalls.getStore()?.task });
      // A failure that is not awaited must not end the process.
      answer.catch((error) => log.note(`a prompt of a module failed: ${lineText(error)}`));
      return answer;
    },
    schedule: (task, module) => {
      const run: RunModuleTask = (due, spent) =>
        toolCalls.run({ running: false, task: spent }, async () => task.run(due));
      const added = schedule.add({ ...task, run }, module);
      added.catch((error) => log.note(`a task of ${module.key} is left out: ${lineText(error)}`));
      return added;
    },
    answer: async (question, words: AnswerWords, session) => agent.session(session).answer(question, words),
  };
}

/** The schedule of an agent, opened with its first task. */
export class LazySchedule {
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

  async add(task: ScheduledTask, module: Pick<LiveModule, "key" | "signal">): Promise<() => void> {
    const { openSchedule } = await import("./open-heartbeat.ts");
    const { scheduleTask } = await import("../heartbeat/module-task.ts");
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

/** Runs a prompt of a module through the same queue and loop as the user's. */
async function backgroundPrompt(
  options: OpenOptions,
  { agent, closing }: Pick<OpenModulesOptions, "agent" | "closing">,
  message: string,
  { session: id, signal: given, task, ...said }: ModulePromptOptions & { readonly task: RunningTask | undefined },
): Promise<PromptResult> {
  const stop = new AbortController();
  // A closed agent leaves the prompt as a kill does: the next process continues it.
  const onAbort = (): void => {
    if (!closing.aborted) stop.abort();
  };
  using _listener = given && whenAborted(given, onAbort);
  let result: PromptResult = { text: "", outcome: "aborted", usd: 0, tokens: 0 };
  const session = agent.session(id);
  try {
    const asked = { ...said, ...(task && { task: task.name }), signal: stop.signal };
    const isEarlier = task?.isResumed === false && (await hasEnded(session, said.key));
    for await (const event of session.prompt(message, asked)) {
      options.onBackgroundEvent?.(event);
      if (event.type === "agent_end") result = resultOf(event);
    }
    if (task && !isEarlier) task.spend(result);
  } catch (error) {
    // A module may still be running while the agent closes.
    if (!(error instanceof AgentClosedError)) throw error;
  }
  return result;
}

const resultOf = ({ messages, outcome, cost }: Extract<AgentEvent, { type: "agent_end" }>): PromptResult => ({
  ...{ text: answerText(messages), outcome, usd: cost.usd, tokens: cost.usage.total },
});

/** Whether an earlier run paid for the prompt with a key. */
async function hasEnded(session: Session, key: string | undefined): Promise<boolean> {
  if (key === undefined) return false;
  try {
    return (await session.hasPrompt(key)) && !(await session.pendingPrompts()).some(({ id }) => id === key);
  } catch (error) {
    if (error instanceof UnknownSessionError) return false;
    throw error;
  }
}
