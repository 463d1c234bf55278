import type { HeartbeatReceiver } from "@mdx-ai/parser";
import type { TimedTask } from "./decide.ts";
import { type HeartbeatLine, readHeartbeatLine } from "./heartbeat-record.ts";
import { type HeartbeatNews, HeartbeatScheduler } from "./heartbeat-scheduler.ts";
import { freeLease } from "./line-file-store.ts";
import type { RunEnd, Wake } from "./wake.ts";

/** What a look at the clock finds. JSON. */
export interface HeartbeatLook {
  /** The new lines of the record. */
  readonly lines: readonly HeartbeatLine[];
  /** The runs that begin. */
  readonly wakes: readonly HostedWake[];
  /** Milliseconds until the next look; undefined if nothing is ever due. */
  readonly wait?: number;
}

/** A wake whose tasks have names only. JSON. */
export interface HostedWake extends Omit<Wake, "due" | "isResumed"> {
  readonly due: readonly { readonly task: string; readonly due: number; readonly count: number }[];
}

/** The texts of the record so far, and when it was last looked at. */
export interface HeartbeatRecordSoFar {
  /** JSON, one line each. */
  readonly lines: readonly string[];
  readonly now: number;
  /** The time of the last look; absent before the first. */
  readonly awake?: number | undefined;
  /** The time that was planned then for the next one. */
  readonly expected?: number | undefined;
}

export interface HostedHeartbeatParts {
  readonly tasks: () => readonly TimedTask[];
  readonly run: (wake: Wake) => Promise<RunEnd | undefined>;
  readonly notify: (receivers: readonly HeartbeatReceiver[], news: HeartbeatNews) => void;
  readonly report: (text: string) => void;
  readonly newSession: (now: number) => string;
}

/** The longest wait between two looks. */
const DAY = 86_400_000;

/** The heartbeat of an agent whose record another program keeps, and which that program calls when something is due. */
export class HostedHeartbeat {
  readonly #parts: HostedHeartbeatParts;

  constructor(parts: HostedHeartbeatParts) {
    this.#parts = parts;
  }

  /** Decides what is due now. Runs nothing. */
  async look(record: HeartbeatRecordSoFar): Promise<HeartbeatLook> {
    const wakes: HostedWake[] = [];
    if (this.#parts.tasks().length === 0) return { lines: [], wakes: [] };
    const { lines, wait } = await this.#schedule(record, this.#parts.tasks(), async ({ due, isResumed, ...wake }) => {
      const tasks = due.map(({ task, ...time }) => ({ task: task.name, ...time }));
      if (!isResumed) wakes.push({ ...wake, due: tasks });
      return undefined;
    });
    return { lines, wakes, ...(wait !== undefined && { wait }) };
  }

  /** The lines that the end of a run adds to the record. Tells the task's receivers. */
  async ended(record: HeartbeatRecordSoFar, { run, due }: HostedWake, end: RunEnd): Promise<readonly HeartbeatLine[]> {
    const tasks = this.#parts.tasks().filter(({ task }) => due.some((one) => one.task === task.name));
    const found = await this.#schedule(record, tasks, async (wake, stop) => {
      // The end of a run begins no other one.
      stop();
      return wake.run === run ? end : undefined;
    });
    return found.lines;
  }

  /** Runs a wake to its end; undefined if this process ended it. Calling it again finishes the same prompt. */
  run({ due, ...wake }: HostedWake): Promise<RunEnd | undefined> {
    const tasks = this.#parts.tasks().map(({ task }) => task);
    const known = due.flatMap(({ task: name, ...time }) => {
      const task = tasks.find((one) => one.name === name);
      return task === undefined ? [] : [{ task, ...time }];
    });
    if (known.length > 0) return this.#parts.run({ ...wake, due: known, isResumed: false });
    return Promise.resolve({ outcome: "aborted", usd: 0, tokens: 0, reason: "the task is gone" });
  }

  /** One look of a scheduler at the record. */
  async #schedule(
    { lines: texts, now, awake, expected }: HeartbeatRecordSoFar,
    tasks: readonly TimedTask[],
    run: (wake: Wake, stop: () => void) => Promise<RunEnd | undefined>,
  ): Promise<{ readonly lines: readonly HeartbeatLine[]; readonly wait: number | undefined }> {
    const added: HeartbeatLine[] = [];
    let unread = texts.flatMap((text) => readHeartbeatLine(text) ?? []);
    let wait: number | undefined;
    const { notify, report, newSession } = this.#parts;
    const scheduler: HeartbeatScheduler = new HeartbeatScheduler({
      ...{ notify, report, newSession, awake, expected, maxWait: DAY },
      tasks: () => tasks,
      run: (wake) => run(wake, () => scheduler.stop()),
      clock: {
        now: () => now,
        after: (milliseconds) => {
          wait ??= milliseconds;
          return () => {};
        },
      },
      store: {
        append: (lines) => void added.push(...lines),
        take: () => {
          const lines = unread;
          unread = [];
          return lines;
        },
        compact: () => {},
      },
      lease: freeLease,
      newRun: () => crypto.randomUUID(),
    });
    scheduler.look();
    await scheduler.settled();
    return { lines: added, wait };
  }
}
