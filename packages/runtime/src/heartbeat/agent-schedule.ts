import { type Clock, lineText, within } from "@mdx-ai/base";
import type { HeartbeatReceiver } from "@mdx-ai/parser";
import type { TimedTask } from "./decide.ts";
import { DueTimes, ScheduleError } from "./due-times.ts";
import { type HeartbeatNews, HeartbeatScheduler, type LineStore, type WakeLease } from "./heartbeat-scheduler.ts";
import type { HeartbeatTask } from "./heartbeat-tasks.ts";
import { HostedHeartbeat } from "./hosted-heartbeat.ts";
import { freeLease, LineFileStore, memoryStore, takeLease } from "./line-file-store.ts";
import type { RunEnd, Wake } from "./wake.ts";

/** Runs a task that is due; undefined if the program ended it before its end, so that the next process finishes it. Must not reject. */
export type RunTask = (wake: Wake) => Promise<RunEnd | undefined>;

export interface AgentScheduleOptions {
  /** Contains `state/`. Absolute. */
  readonly dataDir: string;
  readonly clock: Clock;
  /** If false, tasks are checked, but never run. */
  readonly wakes: boolean;
  /** The only task that runs. Default: all. */
  readonly onlyTask?: string | undefined;
  /** If true, nothing is written to `state/heartbeat.jsonl`. */
  readonly ephemeral?: boolean | undefined;
  /** Must not throw. */
  readonly notify: (receivers: readonly HeartbeatReceiver[], news: HeartbeatNews) => void;
  /** Receives what the user must know: one line. */
  readonly report: (text: string) => void;
}

/** How long the close of an agent waits for the tasks of its modules, in milliseconds. */
const MAX_SETTLING = 5_000;

interface Scheduled extends TimedTask {
  readonly run: RunTask;
}

/** The tasks of an open agent, of its heartbeat and of its modules. One scheduler runs them. */
export class AgentSchedule {
  readonly #options: AgentScheduleOptions;
  readonly #tasks = new Map<string, Scheduled>();
  #scheduler: HeartbeatScheduler | undefined;
  #isStarted = false;

  constructor(options: AgentScheduleOptions) {
    this.#options = options;
  }

  /** Adds a task; the result removes it. Throws `ScheduleError` if its times are wrong or its name is taken. */
  add(task: HeartbeatTask, run: RunTask): () => void {
    const { name } = task;
    if (this.#tasks.has(name)) throw new ScheduleError(`there is a task ${JSON.stringify(name)} already`);
    const times = new DueTimes(task);
    const { clock, wakes, report } = this.#options;
    if (wakes && times.next(clock.now()) === undefined) report(`${name} is never due again`);
    const scheduled = { task, times, run };
    this.#tasks.set(name, scheduled);
    if (this.#isStarted) this.#look();
    return () => {
      if (this.#tasks.get(name) === scheduled) this.#tasks.delete(name);
    };
  }

  /** Tasks run from now on, also those that are added later. */
  start(): void {
    this.#isStarted = true;
    this.#look();
  }

  /** No run begins afterwards. */
  stop(): void {
    this.#isStarted = false;
    this.#scheduler?.stop();
  }

  /** Resolves when no run is left, or after 5 s. Never rejects. */
  async settled(): Promise<void> {
    const runs = this.#scheduler?.settled();
    if (runs !== undefined) await within(runs, MAX_SETTLING);
  }

  /** The same tasks for a program that keeps their record and calls them. */
  get hosted(): HostedHeartbeat {
    const { notify, report } = this.#options;
    return new HostedHeartbeat({
      ...{ notify, report, newSession },
      tasks: () => this.#due,
      run: (wake) => this.#run(wake),
    });
  }

  async #run(wake: Wake): Promise<RunEnd | undefined> {
    return this.#tasks.get(wake.due[0]?.task.name ?? "")?.run(wake);
  }

  #look(): void {
    if (!this.#options.wakes || this.#due.length === 0) return;
    this.#scheduler ??= this.#newScheduler();
    this.#scheduler.look();
  }

  get #due(): readonly Scheduled[] {
    const { onlyTask } = this.#options;
    return [...this.#tasks.values()].filter(({ task }) => onlyTask === undefined || task.name === onlyTask);
  }

  #newScheduler(): HeartbeatScheduler {
    const { clock, dataDir, ephemeral = false, onlyTask, notify, report } = this.#options;
    const store: LineStore = ephemeral ? memoryStore() : new LineFileStore(dataDir);
    return new HeartbeatScheduler({
      ...{ clock, store, notify, report, newSession },
      tasks: () => this.#due,
      forgetsTasks: onlyTask === undefined,
      lease: () => (ephemeral ? freeLease() : this.#lease()),
      run: (wake) => this.#run(wake),
      newRun: () => crypto.randomUUID(),
    });
  }

  /** Without a file for it, the agent still wakes. */
  #lease(): WakeLease | undefined {
    const { dataDir, report } = this.#options;
    try {
      return takeLease(dataDir);
    } catch (error) {
      report(`no lease can be taken, so other processes may wake the agent, too: ${lineText(error)}`);
      return freeLease();
    }
  }
}

const newSession = (now: number): string => `heartbeat-${timeName(now)}-${crypto.randomUUID().slice(0, 8)}`;

/** Such as "20261121-0900". */
const timeName = (now: number): string =>
  new Date(now).toISOString().slice(0, 16).replace(/[-:]/g, "").replace("T", "-");
