import { type Clock, lineText } from "@mdx-ai/base";
import type { HeartbeatReceiver } from "@mdx-ai/parser";
import { type Absence, type DueTask, decide, iso, leftToday, type TimedTask } from "./decide.ts";
import { FAILURES, type HeartbeatLine, type OpenRun } from "./heartbeat-record.ts";
import { backOff, type HeartbeatState, NO_STATE, withLine } from "./heartbeat-state.ts";
import type { HeartbeatTask } from "./heartbeat-tasks.ts";
import type { RunEnd, Wake } from "./wake.ts";

/** Where the lines are kept. */
export interface LineStore {
  /** Appends lines. Throws if they cannot be written. */
  append(lines: readonly HeartbeatLine[]): void;
  /**
   * The lines that have come since the last call, those of `append` left out; the first call, and one that reads anew, returns all. Throws if
   * they cannot be read.
   */
  take(isAnew?: boolean): readonly HeartbeatLine[];
  /** Replaces old lines by a few that lead to the same state, if there are very many. Only the process with the lease may. Throws if it fails. */
  compact(): void;
}

/** The right to wake an agent, which one process at a time has. */
export interface WakeLease {
  isHeld(): boolean;
  release(): void;
}

/** What the receivers of a task are told. */
export interface HeartbeatNews {
  readonly event: "failure" | "recovered" | "absence";
  readonly task: string;
  readonly reason: string;
}

export interface SchedulerOptions {
  readonly clock: Clock;
  /** The current tasks. */
  readonly tasks: () => readonly TimedTask[];
  /** Whether tasks of modules that are not among the tasks when the lease is taken are forgotten. Default: false. */
  readonly forgetsTasks?: boolean;
  readonly store: LineStore;
  /** Takes the lease; undefined while another process has it. Must not throw. */
  readonly lease: () => WakeLease | undefined;
  /** Runs a wake; undefined if the program ended it before its end, so that the next process finishes it. Must not reject. */
  readonly run: (wake: Wake) => Promise<RunEnd | undefined>;
  /** Must not throw. */
  readonly notify: (receivers: readonly HeartbeatReceiver[], news: HeartbeatNews) => void;
  /** Receives what the user must know: one line. */
  readonly report: (text: string) => void;
  /** The id of a new session for a run. */
  readonly newSession: (now: number) => string;
  readonly newRun: () => string;
  /** The most milliseconds between two looks at the clock and at the lines of other processes. Default: 10,000. */
  readonly maxWait?: number;
  /** Since when another process has looked at the clock in time, so that this is no start. */
  readonly awake?: number | undefined;
  /** When that process wanted to look next. */
  readonly expected?: number | undefined;
}

const DAY = 86_400_000;

/** Milliseconds between two looks at the clock, which may be set, and at the lines of other processes. */
const MAX_WAIT = 10_000;
/** How late a look at the clock may be before the machine was asleep. */
const ASLEEP = 60_000;
/** After a failure to read, and so that a clock that stands still does not keep the process busy. */
const MIN_WAIT = 100;

/**
 * Runs the tasks of a heartbeat when they are due. A task never overlaps itself; tasks that need nothing of their own and are due at the same time
 * share a wake. Times that come due while such a wake runs share the next one.
 */
export class HeartbeatScheduler {
  readonly #options: SchedulerOptions;
  readonly #running = new Map<string, Promise<void>>();
  /** The lanes of shared wakes that run. */
  readonly #lanes = new Set<string>();
  /** The names of the tasks whose runs of an earlier process were looked for. */
  readonly #seen = new Set<string>();
  #state: HeartbeatState = NO_STATE;
  #lease: WakeLease | undefined;
  #isStart: boolean;
  #awake: number;
  /** When the clock should be looked at. */
  #expected: number;
  #cancel = (): void => {};
  #compacted = 0;
  #stopped = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    const { clock, awake, expected = clock.now() } = options;
    this.#awake = awake ?? clock.now();
    this.#isStart = awake === undefined;
    this.#expected = expected;
  }

  get state(): HeartbeatState {
    return this.#state;
  }

  /** Starts, or looks at the tasks again after they have changed. */
  look(): void {
    if (!this.#stopped) this.#check();
  }

  /** No run begins afterwards. The lease is released when the running ones have ended. */
  stop(): void {
    this.#stopped = true;
    this.#cancel();
    if (this.#running.size === 0) this.#lease?.release();
    else void this.settled();
  }

  /** Resolves when no run is left, and the lease of a stopped scheduler is released. Never rejects. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
    if (this.#stopped) this.#lease?.release();
  }

  #check(): void {
    const { clock, maxWait = MAX_WAIT } = this.#options;
    this.#cancel();
    const now = clock.now();
    if (now > this.#expected + ASLEEP || now < this.#awake) this.#awake = now;
    const next = this.#look(now);
    const wait = Math.min(Math.max((next ?? now + maxWait) - now, MIN_WAIT), maxWait);
    this.#expected = now + wait;
    this.#cancel = clock.after(wait, () => this.#check());
  }

  /** Returns when to look again. A mistake of this program must not end the heartbeat in silence. */
  #look(now: number): number | undefined {
    try {
      return this.#hasLease(now) ? this.#wake(now) : undefined;
    } catch (error) {
      this.#options.report(`the tasks could not be looked at, and will be again: ${lineText(error)}`);
      return undefined;
    }
  }

  #hasLease(now: number): boolean {
    const { lease, store } = this.#options;
    if (this.#lease?.isHeld()) {
      this.#read(() => store.take());
      if (now > this.#compacted + DAY) this.#compact(now);
      return true;
    }
    this.#lease = lease();
    if (this.#lease === undefined) return false;
    if (this.#options.awake === undefined) this.#awake = now;
    this.#seen.clear();
    // Another process may have had the lease meanwhile.
    this.#state = NO_STATE;
    this.#read(() => store.take(true));
    this.#compact(now);
    if (this.#options.forgetsTasks) this.#forgetTasks(now);
    return true;
  }

  #compact(now: number): void {
    this.#compacted = now;
    try {
      this.#options.store.compact();
    } catch (error) {
      this.#options.report(`state/heartbeat.jsonl could not be compacted: ${lineText(error)}`);
    }
  }

  /** Modules have scheduled all their tasks by now. */
  #forgetTasks(now: number): void {
    const names = this.#options.tasks().map(({ task }) => task.name);
    const gone = [...this.#state.tasks].filter(([name, { plan }]) => plan !== undefined && !names.includes(name));
    this.#record(gone.map(([task]) => ({ type: "forgotten", at: iso(now), task })));
  }

  #read(take: () => readonly HeartbeatLine[]): void {
    try {
      for (const line of take()) this.#state = withLine(this.#state, line);
    } catch (error) {
      this.#options.report(`state/heartbeat.jsonl could not be read: ${lineText(error)}`);
    }
  }

  /** Finishes the runs that an earlier process left open. */
  #resume(tasks: readonly TimedTask[]): void {
    const open = tasks.flatMap(({ task }) => {
      const run = this.#seen.has(task.name) ? undefined : this.#state.tasks.get(task.name)?.open;
      return run === undefined || this.#running.has(run.run) ? [] : [{ task, run }];
    });
    for (const { task } of tasks) this.#seen.add(task.name);
    for (const [run, parts] of Map.groupBy(open, (part) => part.run.run)) {
      const [first] = parts;
      if (first === undefined) continue;
      const due = parts.map(({ task, run: { due: time, count } }) => ({ task, due: time, count }));
      this.#begin(due, { run, open: first.run });
    }
  }

  /** Returns when to look at the clock again. */
  #wake(now: number): number | undefined {
    const tasks = this.#options.tasks();
    this.#resume(tasks);
    const moment = { now, awake: this.#awake, isStart: this.#isStart };
    const { lines, due, absences, next } = decide(tasks, this.#state, moment);
    this.#isStart = false;
    this.#record(lines);
    const isWaiting = ({ task }: DueTask): boolean => this.#lanes.has(laneOf(task) ?? "");
    const waiting = due.filter(isWaiting).map(({ task }) => task.name);
    const free = due.filter((one) => !isWaiting(one));
    for (const absence of absences) {
      // A task that waits for its lane is decided again later, and reported then.
      if (!waiting.includes(absence.task.name)) this.#reportAbsence(absence, now);
    }
    for (const [lane, tasks] of Map.groupBy(free, (one) => laneOf(one.task) ?? one.task.name)) {
      this.#begin(tasks, { run: this.#options.newRun(), lane });
    }
    return next;
  }

  #begin(
    due: readonly DueTask[],
    { run, open }: { readonly run: string; readonly lane?: string; readonly open?: OpenRun },
  ): void {
    const { clock, newSession } = this.#options;
    const [first] = due;
    if (first === undefined) return;
    const now = clock.now();
    const { task } = first;
    const lane = laneOf(task);
    const isIsolated = task.directives.session === "isolated";
    const session = open?.session ?? (isIsolated ? newSession(now) : task.directives.session);
    if (open === undefined) {
      this.#record(
        due.map(({ task: { name }, due: time, count }) => ({
          ...{ type: "began", at: iso(now), task: name, run, due: iso(time), count },
          ...(session !== undefined && { session }),
        })),
      );
    }
    if (lane !== undefined) this.#lanes.add(lane);
    const state = this.#state.tasks.get(task.name);
    const wake = { run, due, session, isResumed: open !== undefined, now };
    const left = state && leftToday(task, state, now);
    const running = this.#run({ ...wake, gate: state?.gate ?? {}, left }, lane);
    this.#running.set(run, running);
  }

  async #run(wake: Wake, lane: string | undefined): Promise<void> {
    // What is recorded as begun may be resumed in the same call.
    await Promise.resolve();
    const end = this.#stopped ? undefined : await this.#options.run(wake);
    this.#running.delete(wake.run);
    if (lane !== undefined) this.#lanes.delete(lane);
    if (end === undefined) return;
    this.#end(wake, end);
    if (!this.#stopped) this.#check();
  }

  #end({ run, due }: Wake, { outcome, usd, tokens, reason, state }: RunEnd): void {
    const at = iso(this.#options.clock.now());
    this.#record(
      due.map(({ task }, index) => ({
        ...{ type: "ended", at, task: task.name, run, outcome },
        // A shared wake costs once.
        ...(index === 0 ? { usd, tokens } : { usd: 0, tokens: 0 }),
        ...(reason !== undefined && { reason }),
        ...(state !== undefined && { state }),
      })),
    );
    for (const { task } of due) this.#reportEnd(task, { outcome, reason: reason ?? outcome }, at);
  }

  #reportEnd(
    task: HeartbeatTask,
    { outcome, reason }: Pick<RunEnd, "outcome"> & { readonly reason: string },
    at: string,
  ): void {
    const state = this.#state.tasks.get(task.name);
    const isReported = state?.isReported === true;
    if (FAILURES.includes(outcome)) {
      const again = outcome === "error" ? `; it runs again in ${backOff(state?.failures ?? 1) / 60_000} min` : "";
      this.#options.report(`${task.name} failed (${outcome}): ${reason}${again}`);
      if (!isReported) this.#notify(task, { event: "failure", task: task.name, reason }, at);
    } else if (isReported && outcome !== "aborted") {
      this.#options.report(`${task.name} has recovered`);
      this.#notify(task, { event: "recovered", task: task.name, reason: outcome }, at);
    }
  }

  #reportAbsence({ task, reason }: Absence, now: number): void {
    this.#options.report(`${task.name}: ${reason}`);
    this.#notify(task, { event: "absence", task: task.name, reason }, iso(now));
  }

  #notify(task: HeartbeatTask, news: HeartbeatNews, at: string): void {
    const { notify = [] } = task.directives;
    this.#record([{ type: "notified", at, task: task.name, event: news.event }]);
    if (notify.length > 0) this.#options.notify(notify, news);
  }

  /** The state counts even if it cannot be written. */
  #record(lines: readonly HeartbeatLine[]): void {
    if (lines.length === 0) return;
    for (const line of lines) this.#state = withLine(this.#state, line);
    try {
      this.#options.store.append(lines);
    } catch (error) {
      // The directory of an agent that was closed during a run may be gone.
      if (!this.#stopped) this.#options.report(`state/heartbeat.jsonl could not be written: ${lineText(error)}`);
    }
  }
}

/** The lane of the tasks that share wakes; undefined for a task that runs by itself. */
function laneOf({ directives, isOfModule }: HeartbeatTask): string | undefined {
  if (isOfModule) return undefined;
  const { gate, done, limit, dayLimit, notify, session, model } = directives;
  const isOwn = [gate, done, limit, dayLimit, notify].some((part) => part !== undefined) || session === "isolated";
  return isOwn ? undefined : `lane ${JSON.stringify([session ?? "main", model])}`;
}
