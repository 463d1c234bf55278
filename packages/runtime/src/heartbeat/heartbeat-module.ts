import { attempt, type Clock, type Environment, lineText } from "@mdx-ai/base";
import type { AgentEvent } from "@mdx-ai/loop";
import type { LanguageModel } from "@mdx-ai/models";
import type { AgentModule, ModuleContext } from "../types/module.ts";
import type { TimedTask } from "./decide.ts";
import { DueTimes } from "./due-times.ts";
import type { RunCode } from "./heartbeat-code.ts";
import { HeartbeatScheduler, type LineStore, type WakeLease } from "./heartbeat-scheduler.ts";
import { type HeartbeatPlan, type HeartbeatTask, heartbeatTasks } from "./heartbeat-tasks.ts";
import { HostedHeartbeat } from "./hosted-heartbeat.ts";
import { freeLease, LineFileStore, memoryStore, takeLease } from "./line-file-store.ts";
import { notify } from "./notify.ts";
import { runWake, type WakeSession } from "./run-wake.ts";
import type { RunEnd, Wake } from "./wake.ts";
import { HEARTBEAT_SECTION } from "./wake-message.ts";

/** What the heartbeat uses of its agent. */
interface HeartbeatAgent {
  session(id?: string): WakeSession;
  openModel(reference: string): Promise<LanguageModel>;
  readonly runCode: RunCode;
  /** Whether the agent is being closed. */
  isClosing(): boolean;
}

export interface HeartbeatOptions extends HeartbeatPlan {
  /** Contains `state/`. Absolute. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly agent: HeartbeatAgent;
  /** If false, the module is initialized and started, but never wakes. */
  readonly wakes: boolean;
  /** The only task that runs. Default: all. */
  readonly onlyTask?: string | undefined;
  /** If true, nothing is written to `state/heartbeat.jsonl`. */
  readonly ephemeral?: boolean | undefined;
  /** Receives warnings for the user, one line each. */
  readonly onWarning?: ((message: string) => void) | undefined;
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
  #scheduler: HeartbeatScheduler | undefined;
  #stopped = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#tasks = heartbeatTasks(options);
  }

  describe(): { name: string; description: string } {
    return { name: "heartbeat", description: "Wakes the agent at the times of heartbeat.md" };
  }

  async initialize(context: ModuleContext): Promise<void> {
    this.#context = context;
  }

  tools(): [] {
    return [];
  }

  /** The same text with and without wakes, so that both share a cached prompt prefix. */
  systemPrompt(): string {
    return this.#tasks.length === 0 ? "" : HEARTBEAT_SECTION;
  }

  async start(): Promise<void> {
    const { clock, wakes, dataDir, ephemeral = false } = this.#options;
    if (!wakes || this.#stopped) return;
    const { onlyTask } = this.#options;
    const tasks = this.#timedTasks().filter(({ task }) => onlyTask === undefined || task.name === onlyTask);
    if (tasks.length === 0) return;
    const store: LineStore = ephemeral ? memoryStore() : new LineFileStore(dataDir);
    this.#scheduler = new HeartbeatScheduler({
      ...{ clock, tasks, store },
      lease: () => (ephemeral ? freeLease() : this.#lease()),
      run: (wake) => this.#run(wake),
      notify: (receivers, news) => void notify(receivers, news, this.#notifyParts),
      report: (text) => this.#report(text),
      newSession,
      newRun: () => crypto.randomUUID(),
    });
    this.#scheduler.start();
  }

  /** The same heartbeat for a program that keeps its record and calls it. */
  get hosted(): HostedHeartbeat {
    return new HostedHeartbeat({
      tasks: () => this.#timedTasks(),
      run: (wake) => this.#run(wake),
      notify: (receivers, news) => void notify(receivers, news, this.#notifyParts),
      report: (text) => this.#report(text),
      newSession,
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#scheduler?.stop();
  }

  /** Leaves out tasks that are never due, so that the others still wake. */
  #timedTasks(): readonly TimedTask[] {
    const now = this.#options.clock.now();
    return this.#tasks.flatMap((task) => {
      try {
        const times = new DueTimes(this.#withTimezone(task));
        if (times.next(now) === undefined) this.#report(`${task.name} is never due again`);
        return [{ task, times }];
      } catch (error) {
        this.#report(`the task ${JSON.stringify(task.name)} is left out: ${lineText(error)}`);
        return [];
      }
    });
  }

  #withTimezone(task: HeartbeatTask): HeartbeatTask {
    const { timezone, ...rest } = task;
    if (timezone === undefined || isTimezone(timezone)) return task;
    this.#report(`unknown time zone ${timezone}; using the time zone of this machine`);
    return rest;
  }

  /** Without a file for it, the agent still wakes. */
  #lease(): WakeLease | undefined {
    try {
      return takeLease(this.#options.dataDir);
    } catch (error) {
      this.#report(`no lease can be taken, so other processes may wake the agent, too: ${lineText(error)}`);
      return freeLease();
    }
  }

  async #run(wake: Wake): Promise<RunEnd | undefined> {
    const { agent, definition, clock, onEvent } = this.#options;
    const end = await runWake(wake, {
      definition,
      session: (id) => agent.session(id),
      openModel: (reference) => agent.openModel(reference),
      runCode: agent.runCode,
      onEvent: (event) => onEvent?.(event),
      isClosing: () => agent.isClosing(),
    });
    const names = wake.due.map(({ task }) => task.name).join("; ");
    const seconds = Math.max(0, clock.now() - wake.now) / 1000;
    void this.#context?.log(
      end === undefined
        ? `heartbeat: ${names}: interrupted; the next start finishes it`
        : `heartbeat: ${names}: ${end.outcome} after ${seconds} s${end.outcome === "quiet" ? `: ${end.text ?? ""}` : ""}`,
    );
    return end;
  }

  get #notifyParts() {
    const { environment, agent } = this.#options;
    return {
      ...{ agentDir: this.#context?.agentDir ?? ".", environment },
      session: (id?: string) => agent.session(id),
      report: (text: string) => this.#report(text),
    };
  }

  #report(problem: string): void {
    void this.#context?.log(`heartbeat: ${problem}`);
    this.#options.onWarning?.(`heartbeat: ${problem}`);
  }
}

const newSession = (now: number): string => `heartbeat-${timeName(now)}-${crypto.randomUUID().slice(0, 8)}`;

/** Such as "20261121-0900". */
const timeName = (now: number): string =>
  new Date(now).toISOString().slice(0, 16).replace(/[-:]/g, "").replace("T", "-");

const isTimezone = (name: string): boolean =>
  attempt(() => new Intl.DateTimeFormat("en", { timeZone: name })) !== undefined;
