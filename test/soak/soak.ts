import { heapStats } from "bun:jsc";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { cronTimes } from "@mdx-ai/parser/cron";
import type { HeartbeatLine } from "../../packages/runtime/src/heartbeat/heartbeat-record.ts";
import { DAY, MINUTE, tasksOf } from "../support/heartbeat-bench.ts";
import { SimulatedClock } from "./simulated-clock.ts";
import { type Random, SoakedAgent } from "./soaked-agent.ts";

/** Over the change of the clocks on 25 October, in Vienna. */
const START = Date.parse("2026-10-10T07:03:20.000Z");

/** Mixed schedules. */
const SCHEDULES: readonly string[] = [
  "@every: 15m\n",
  "@every: 1h\n\n## Routine Tasks\n\n- Every day at 09:00: Summary\n- Every Monday at 08:30: Plan\n",
  "## Routine Tasks\n\n- 30 2 * * *: Night\n  @missed: skip\n- */20 8-18 * * 1-5: Office\n  @session: isolated\n",
  "@every: 40m\n@limit: tokens=1000\n\n## Routine Tasks\n\n- Every 3 hours: Mail\n- 0 12 1,15 * *: Bill\n",
  "0 */2 * * *\n@missed: skip\n@notify: session main\n\n## Routine Tasks\n\n- Every 25 minutes: Look\n  @missed: skip\n",
];

export interface SoakOptions {
  readonly agents: number;
  readonly days: number;
  /** An empty folder. Absolute. */
  readonly folder: string;
  readonly seed: number;
}

export interface SoakResult {
  readonly runs: number;
  readonly restarts: number;
  /** The due times that were accounted for. */
  readonly times: number;
  /** What is wrong: lines for people. */
  readonly complaints: readonly string[];
  /** Bytes of live objects after each third of the time. */
  readonly heap: readonly number[];
}

/**
 * Simulates agents with mixed schedules, faults and restarts. Checks that every due time ran once or is accounted for, and that memory is
 * flat.
 */
export async function soak({ agents: count, days, folder, seed }: SoakOptions): Promise<SoakResult> {
  const clock = new SimulatedClock(START);
  const random = randomOf(seed);
  const agents = Array.from({ length: count }, (_, number) => {
    const directory = join(folder, `agent-${number}`);
    mkdirSync(directory);
    return new SoakedAgent({ text: SCHEDULES[number % SCHEDULES.length] ?? "", clock, directory, random });
  });
  const end = START + days * DAY;
  const heap: number[] = [];
  for (const third of [1, 2, 3]) {
    await clock.passUntil(START + (third / 3) * days * DAY, pause);
    heap.push(liveBytes());
  }
  const checks = agents.map((agent, number) => checkAgent(agent, end, `agent ${number}`));
  return {
    runs: agents.reduce((sum, { runs }) => sum + runs, 0),
    restarts: agents.reduce((sum, { restarts }) => sum + restarts, 0),
    times: checks.reduce((sum, { times }) => sum + times, 0),
    complaints: [...checks.flatMap(({ complaints }) => complaints), ...growthOf(heap)],
    heap,
  };
}

/** Lets the promises of a timer settle. */
async function pause(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await undefined;
}

function liveBytes(): number {
  for (let round = 0; round < 3; round++) Bun.gc(true);
  return heapStats().heapSize;
}

/** How many bytes the live objects may grow, since open runs differ from day to day: 20 days of 50 agents have about 40,000 runs, which are 3 MB with 80 bytes each. */
const MAX_GROWTH = 1_500_000;

function growthOf(heap: readonly number[]): readonly string[] {
  const growth = (heap.at(-1) ?? 0) - (heap[0] ?? 0);
  return growth > MAX_GROWTH ? [`memory: ${growth} bytes more are live than after a third of the time`] : [];
}

/** A small generator of random numbers. */
function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface AgentCheck {
  readonly times: number;
  readonly complaints: readonly string[];
}

function checkAgent(agent: SoakedAgent, end: number, name: string): AgentCheck {
  const lines = agent.lines();
  const begun = agent.begun();
  const twice = begun.filter((run, index) => begun.indexOf(run) !== index).map((run) => `${name}: ${run} began twice`);
  const checks = tasksOf(agent.text, "Europe/Vienna").map(({ task }) => {
    const own = lines.filter((line) => "task" in line && line.task === task.name);
    const count = countOf(task.times[0], task.timezone);
    return checkTask(own, { count, end, name: `${name}, ${task.name}` });
  });
  return {
    times: checks.reduce((sum, { times }) => sum + times, 0),
    complaints: [...twice, ...checks.flatMap(({ complaints }) => complaints)],
  };
}

/** Counts the due times after one time, up to another; computed without the scheduler. */
type CountTimes = (after: number, until: number) => number;

function countOf(
  time: ReturnType<typeof tasksOf>[number]["task"]["times"][number] | undefined,
  zone?: string,
): CountTimes {
  if (time === undefined) return () => 0;
  if (time.type === "interval") return (after, until) => Math.floor((until - after) / time.milliseconds);
  const next = cronTimes(time.expression, zone);
  return (after, until) => {
    let count = 0;
    for (let due = next(after); due !== undefined && due <= until; due = next(due)) count++;
    return count;
  };
}

interface TaskCheck {
  readonly count: CountTimes;
  readonly end: number;
  readonly name: string;
}

/** Follows the lines of a task: each due time is in exactly one line, and its runs never overlap. */
function checkTask(lines: readonly HeartbeatLine[], { count, end, name }: TaskCheck): AgentCheck {
  const history = new TaskHistory(count, name);
  for (const line of lines) history.add(line);
  const { complaints, last, times } = history;
  // A process may be down, asleep or on its way to look at the clock.
  if (count(last, end - 40 * 60 * MINUTE) > 0)
    complaints.push(`${name}: nothing since ${new Date(last).toISOString()}`);
  return { times, complaints };
}

class TaskHistory {
  readonly complaints: string[] = [];
  readonly #count: CountTimes;
  readonly #name: string;
  last = START;
  times = 0;
  #open: string | undefined;

  constructor(count: CountTimes, name: string) {
    this.#count = count;
    this.#name = name;
  }

  add(line: HeartbeatLine): void {
    switch (line.type) {
      case "planned":
        this.#require(this.last === START, `planned again at ${line.at}`);
        this.last = Date.parse(line.at);
        break;
      case "ended":
        this.#require(this.#open === line.run, `${line.run} ended, but ${this.#open ?? "nothing"} ran`);
        this.#open = undefined;
        break;
      case "began":
        this.#require(this.#open === undefined, `${line.run} began while ${this.#open} ran`);
        this.#open = line.run;
        this.#account(line);
        break;
      case "skipped":
        this.#account(line);
        break;
      default:
    }
  }

  #account(line: Extract<HeartbeatLine, { due: string }>): void {
    if (line.count === 0) return;
    const due = Date.parse(line.due);
    const expected = this.#count(this.last, due);
    this.#require(line.count === expected, `${line.count} instead of ${expected} times at ${line.due}`);
    this.times += line.count;
    this.last = due;
  }

  #require(holds: boolean, complaint: string): void {
    if (!holds) this.complaints.push(`${this.#name}: ${complaint}`);
  }
}
