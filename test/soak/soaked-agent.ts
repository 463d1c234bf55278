import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "@mdx-ai/base";
import type { HeartbeatLine } from "../../packages/runtime/src/heartbeat/heartbeat-record.ts";
import { HeartbeatScheduler } from "../../packages/runtime/src/heartbeat/heartbeat-scheduler.ts";
import { LineFileStore } from "../../packages/runtime/src/heartbeat/line-file-store.ts";
import type { RunEnd, Wake } from "../../packages/runtime/src/heartbeat/wake.ts";
import { DAY, HOUR, MINUTE, tasksOf } from "../support/heartbeat-bench.ts";

/** Returns a number from 0 to 1, the same sequence in every run with the same seed. */
export type Random = () => number;

/** An agent on a simulated clock: its processes die, stop, sleep and come back at random, and so do its runs. */
export class SoakedAgent {
  readonly text: string;
  readonly #clock: Clock;
  readonly #directory: string;
  readonly #random: Random;
  runs = 0;
  restarts = 0;
  #holder: object | undefined;
  /** Until when its processes are suspended. */
  #asleep = 0;
  #count = 0;

  constructor({ text, clock, directory, random }: { text: string; clock: Clock; directory: string; random: Random }) {
    this.text = text;
    this.#clock = clock;
    this.#directory = directory;
    this.#random = random;
    this.#startProcess();
    // A second process waits for the death of the first.
    if (random() < 0.3) this.#startProcess();
  }

  /** What is on disk. */
  lines(): readonly HeartbeatLine[] {
    return new LineFileStore(this.#directory).take();
  }

  /** The ids of the runs that began, in order. They are kept on disk: the memory of the soak is measured. */
  begun(): readonly string[] {
    return readFileSync(this.#begun, "utf8").trimEnd().split("\n");
  }

  get #begun(): string {
    return join(this.#directory, "begun.txt");
  }

  #startProcess(): void {
    const own = { isAlive: true };
    const lease = {
      isHeld: () => this.#holder === own,
      release: () => {
        if (this.#holder === own) this.#holder = undefined;
      },
    };
    const tasks = tasksOf(this.text, "Europe/Vienna");
    const scheduler = new HeartbeatScheduler({
      clock: this.#ownClock(own),
      tasks: () => tasks,
      store: new LineFileStore(this.#directory),
      lease: () => {
        this.#holder ??= own;
        return this.#holder === own ? lease : undefined;
      },
      run: (wake) => this.#run(wake, own),
      notify: () => {},
      report: () => {},
      newSession: () => `session-${this.#count++}`,
      newRun: () => `run-${this.#count++}`,
      maxWait: 20 * MINUTE,
    });
    scheduler.look();
    this.#clock.after(this.#random() * 6 * DAY, () => {
      this.restarts++;
      own.isAlive = false;
      scheduler.stop();
      lease.release();
      this.#clock.after(this.#random() ** 3 * 10 * HOUR, () => this.#startProcess());
    });
    this.#clock.after(this.#random() * 8 * DAY, () => {
      this.#asleep = this.#clock.now() + this.#random() * DAY;
    });
  }

  /** The clock of a process: its timers fire late while it is suspended, and never after its death. */
  #ownClock(own: { readonly isAlive: boolean }): Clock {
    const after = (milliseconds: number, callback: () => void): (() => void) => {
      let cancel = this.#clock.after(milliseconds, () => {
        const wait = this.#asleep - this.#clock.now();
        if (!own.isAlive) return;
        if (wait > 0) cancel = after(wait, callback);
        else callback();
      });
      return () => cancel();
    };
    return { now: () => this.#clock.now(), after };
  }

  /** A dead process never ends its runs. */
  #run(wake: Wake, own: { readonly isAlive: boolean }): Promise<RunEnd | undefined> {
    this.runs++;
    if (!wake.isResumed) appendFileSync(this.#begun, `${wake.run}\n`);
    const chance = this.#random();
    const minutes = chance < 0.02 ? 90 : this.#random() * 3;
    const outcome = chance < 0.05 ? "error" : chance < 0.06 ? "limit" : chance < 0.5 ? "quiet" : "done";
    return new Promise((resolve) => {
      this.#clock.after(minutes * MINUTE, () => {
        resolve(own.isAlive ? { outcome, usd: 0.01, tokens: 100 } : undefined);
      });
    });
  }
}
