import { parseHeartbeat } from "@mdx-ai/parser/parse";
import type { TimedTask } from "../../packages/runtime/src/heartbeat/decide.ts";
import { DueTimes } from "../../packages/runtime/src/heartbeat/due-times.ts";
import type { HeartbeatLine } from "../../packages/runtime/src/heartbeat/heartbeat-record.ts";
import {
  type HeartbeatNews,
  HeartbeatScheduler,
  type LineStore,
  type SchedulerOptions,
} from "../../packages/runtime/src/heartbeat/heartbeat-scheduler.ts";
import { heartbeatTasks } from "../../packages/runtime/src/heartbeat/heartbeat-tasks.ts";
import type { RunEnd, Wake } from "../../packages/runtime/src/heartbeat/wake.ts";
import { HandClock } from "./hand-clock.ts";

export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

/** The tasks of a heartbeat.md. */
export function tasksOf(text: string, timezone = "UTC"): readonly TimedTask[] {
  const { definition, diagnostics } = parseHeartbeat(text);
  if (diagnostics.length > 0) throw new Error(`mistakes in heartbeat.md: ${JSON.stringify(diagnostics)}`);
  const tasks = heartbeatTasks({ definition, settings: { timezone } });
  return tasks.map((task) => ({ task, times: new DueTimes(task) }));
}

/** Lets all work that waits for no timer finish. */
async function flush(): Promise<void> {
  for (let count = 0; count < 5; count++) await new Promise((resolve) => setImmediate(resolve));
}

/** The lines of a heartbeat, as several processes on one disk see them. */
export class SharedLines {
  readonly all: HeartbeatLine[] = [];
  /** Whether writing fails. */
  isBroken = false;

  /** The view of one process. */
  open(): LineStore {
    let read = 0;
    const own = new Set<HeartbeatLine>();
    return {
      append: (lines) => {
        if (this.isBroken) throw new Error("the disk is full");
        for (const line of lines) own.add(line);
        this.all.push(...lines);
      },
      compact: () => {},
      take: (isAnew) => {
        if (isAnew) {
          read = 0;
          own.clear();
        }
        const lines = this.all.slice(read).filter((line) => !own.delete(line));
        read = this.all.length;
        return lines;
      },
    };
  }
}

export const COSTLESS: RunEnd = { outcome: "done", usd: 0, tokens: 0 };

/** A heartbeat of one or more processes on a clock that a test moves. Runs wait for `end`, unless `answer` gives their end. */
export class HeartbeatBench {
  readonly clock: HandClock;
  readonly lines: SharedLines = new SharedLines();
  readonly reports: string[] = [];
  readonly news: HeartbeatNews[] = [];
  /** All runs, in the order in which they began, with their times. */
  readonly runs: { readonly at: string; readonly tasks: readonly string[]; readonly wake: Wake }[] = [];
  readonly #text: string;
  readonly #timezone: string;
  readonly #waiting: PromiseWithResolvers<RunEnd | undefined>[] = [];
  #holder: object | undefined;
  #count = 0;
  /** Gives the end of a run at once; undefined lets it wait. */
  answer: ((wake: Wake) => RunEnd | undefined) | undefined;

  constructor(text: string, start: string, timezone = "UTC") {
    this.#text = text;
    this.#timezone = timezone;
    this.clock = new HandClock(start);
  }

  /** Starts a process. */
  start(options: Partial<SchedulerOptions> = {}): BenchProcess {
    const process = {};
    const lease = {
      isHeld: () => this.#holder === process,
      release: () => {
        if (this.#holder === process) this.#holder = undefined;
      },
    };
    const tasks = tasksOf(this.#text, this.#timezone);
    const scheduler = new HeartbeatScheduler({
      clock: this.clock,
      tasks: () => tasks,
      store: this.lines.open(),
      lease: () => {
        this.#holder ??= process;
        return this.#holder === process ? lease : undefined;
      },
      run: (wake) => this.#run(wake),
      notify: (_receivers, news) => this.news.push(news),
      report: (text) => this.reports.push(text),
      newSession: () => `heartbeat-${this.#count++}`,
      newRun: () => `run-${this.#count++}`,
      ...options,
    });
    scheduler.look();
    return {
      scheduler,
      // A dead process neither ends its runs nor writes anything.
      kill: () => {
        scheduler.stop();
        lease.release();
        for (const run of this.#waiting.splice(0)) run.resolve(undefined);
      },
    };
  }

  /** Lets time pass in steps of a minute or less, so that runs can begin and end within. */
  async pass(milliseconds: number, step: number = MINUTE): Promise<void> {
    for (let left = milliseconds; left > 0; left -= step) {
      this.clock.pass(Math.min(step, left));
      await flush();
    }
  }

  /** Stops the process for some time, as a suspended machine does: timers fire late, each once. */
  async sleep(milliseconds: number): Promise<void> {
    this.clock.set(new Date(this.clock.now() + milliseconds).toISOString());
    await this.pass(10_000, 10_000);
  }

  /** Ends the run that began first of those that have not ended. */
  async end(end: Partial<RunEnd> = {}): Promise<void> {
    const run = this.#waiting.shift();
    if (run === undefined) throw new Error("no run waits for its end");
    run.resolve({ ...COSTLESS, ...end });
    await flush();
  }

  /** The tasks of each run, with the time at which it began. */
  get began(): readonly string[] {
    return this.runs.map(({ at, tasks }) => `${at.slice(5, 16)} ${tasks.join(" + ")}`);
  }

  #run(wake: Wake): Promise<RunEnd | undefined> {
    this.runs.push({ at: new Date(wake.now).toISOString(), tasks: wake.due.map(({ task }) => task.name), wake });
    const end = this.answer?.(wake);
    if (end !== undefined) return Promise.resolve(end);
    const waiting = Promise.withResolvers<RunEnd | undefined>();
    this.#waiting.push(waiting);
    return waiting.promise;
  }
}

/** A process of a bench. */
export interface BenchProcess {
  readonly scheduler: HeartbeatScheduler;
  /** Ends it without a trace: its runs stay open. */
  kill(): void;
}
