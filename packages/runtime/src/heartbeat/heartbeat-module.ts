import { attempt, type Clock, lineText } from "@mdx-ai/base";
import type { AgentEvent } from "@mdx-ai/loop";
import type { LanguageModel } from "@mdx-ai/models";
import type { AgentModule, ModuleContext } from "../types/module.ts";
import type { AgentSchedule } from "./agent-schedule.ts";
import type { RunCode } from "./heartbeat-code.ts";
import { type HeartbeatPlan, type HeartbeatTask, heartbeatTasks } from "./heartbeat-tasks.ts";
import { runWake, type WakeSession } from "./run-wake.ts";
import type { RunEnd, Wake } from "./wake.ts";
import { HEARTBEAT_SECTION } from "./wake-message.ts";

/** What the heartbeat uses of its agent. */
interface HeartbeatAgent {
  session(id?: string): WakeSession;
  openModel(reference: string): Promise<LanguageModel>;
  readonly runCode: RunCode;
  /** As `WakeAgent.sessionFree`. */
  sessionFree(id: string): Promise<void>;
  /** Whether the agent is being closed. */
  isClosing(): boolean;
}

export interface HeartbeatOptions extends HeartbeatPlan {
  readonly clock: Clock;
  readonly agent: HeartbeatAgent;
  readonly schedule: AgentSchedule;
  /** Receives what the user must know: one line. */
  readonly report: (text: string) => void;
  /** Receives the events of prompts, unless the reply is silent. */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
}

/**
 * The builtin module that wakes the agent at the times of heartbeat.md, or at the settings' `schedule`. Without them it does nothing and
 * adds nothing to the prompt.
 */
export class HeartbeatModule implements AgentModule {
  readonly #options: HeartbeatOptions;
  readonly #tasks: readonly HeartbeatTask[];
  #context: ModuleContext | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#tasks = heartbeatTasks(options);
  }

  describe(): { name: string; description: string } {
    return { name: "heartbeat", description: "Wakes the agent at the times of heartbeat.md" };
  }

  async initialize(context: ModuleContext): Promise<void> {
    this.#context = context;
    this.schedule();
  }

  /** Adds its tasks to the schedule. */
  schedule(): void {
    for (const task of this.#tasks) this.#add(task);
  }

  /** The same text with and without wakes, so that both share a cached prompt prefix. */
  systemPrompt(): string {
    return this.#tasks.length === 0 ? "" : HEARTBEAT_SECTION;
  }

  /** Leaves out a task whose times are wrong, so that the others still wake. */
  #add(task: HeartbeatTask): void {
    const { schedule, report } = this.#options;
    try {
      schedule.add(this.#withTimezone(task), (wake) => this.#run(wake));
    } catch (error) {
      report(`the task ${JSON.stringify(task.name)} is left out: ${lineText(error)}`);
    }
  }

  #withTimezone(task: HeartbeatTask): HeartbeatTask {
    const { timezone, ...rest } = task;
    if (timezone === undefined || isTimezone(timezone)) return task;
    this.#options.report(`unknown time zone ${timezone}; using the time zone of this machine`);
    return rest;
  }

  async #run(wake: Wake): Promise<RunEnd | undefined> {
    const { agent, definition, clock, onEvent } = this.#options;
    const end = await runWake(wake, {
      definition,
      session: (id) => agent.session(id),
      openModel: (reference) => agent.openModel(reference),
      runCode: agent.runCode,
      onEvent: (event) => onEvent?.(event),
      sessionFree: (id) => agent.sessionFree(id),
      isClosing: () => agent.isClosing(),
    });
    const names = wake.due.map(({ task }) => task.name).join("; ");
    const seconds = Math.max(0, clock.now() - wake.now) / 1000;
    void this.#context?.log(
      end === undefined
        ? `${names}: interrupted; the next start finishes it`
        : `${names}: ${end.outcome} after ${seconds} s${end.outcome === "quiet" ? `: ${end.text ?? ""}` : ""}`,
    );
    return end;
  }
}

const isTimezone = (name: string): boolean =>
  attempt(() => new Intl.DateTimeFormat("en", { timeZone: name })) !== undefined;
