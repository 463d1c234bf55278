import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PromptOutcome } from "@mdx-ai/loop";
import type { HeartbeatDefinition } from "@mdx-ai/parser";
import type { ModuleContext, PromptResult } from "@mdx-ai/runtime";
import { HeartbeatModule, type HeartbeatOptions } from "../../packages/runtime/src/heartbeat/heartbeat-module.ts";
import { HandClock } from "./hand-clock.ts";

export const MINUTE = 60_000;
export const HOUR = 3_600_000;

/** heartbeat.md with nothing in it. */
export const EMPTY_HEARTBEAT: HeartbeatDefinition = { onWake: [], routines: [], contextReconstruction: [] };

/** A routine task as the parser gives it; a number is an interval in milliseconds. */
export function routine(name: string, time: string | number): HeartbeatDefinition["routines"][number] {
  const position = { line: 1, column: 1 };
  if (typeof time === "number") return { name, time: { type: "interval", milliseconds: time }, position };
  return { name, time: { type: "cron", expression: time }, position };
}

/** A heartbeat on a clock that stands still; its prompts wait for the test to answer them. */
export class HeartbeatBench {
  readonly clock: HandClock;
  readonly module: HeartbeatModule;
  readonly warnings: string[] = [];
  readonly logged: string[] = [];
  readonly messages: string[] = [];
  readonly #directory: string;
  readonly #watchers = new Set<() => void>();
  #answers: PromiseWithResolvers<PromptResult>[] = [];

  constructor(directory: string, start: string, options: Partial<HeartbeatOptions>) {
    this.#directory = directory;
    this.clock = new HandClock(start);
    this.module = new HeartbeatModule({
      dataDir: directory,
      settings: { timezone: "UTC" },
      clock: this.clock,
      wakes: true,
      onWarning: (message) => this.warnings.push(message),
      ...options,
    });
  }

  async start(): Promise<void> {
    const context: ModuleContext = {
      agentDir: this.#directory,
      log: async (message) => void this.logged.push(message),
      prompt: (message) => this.#ask(message),
    };
    await this.module.initialize(context);
    await this.module.start();
  }

  /** Ends the wake that runs, and waits until the heartbeat has gone back to waiting or has woken again. */
  async answer(outcome: PromptOutcome | Error = "done"): Promise<void> {
    const answer = this.#answers.shift();
    const before = this.messages.length;
    if (outcome instanceof Error) answer?.reject(outcome);
    else answer?.resolve({ text: "", outcome });
    await Promise.race([this.clock.untilTimer(), this.#untilMessages(before + 1)]);
  }

  /** What `state/heartbeat.jsonl` holds. */
  records(): unknown[] {
    const path = join(this.#directory, "state/heartbeat.jsonl");
    if (!existsSync(path)) return [];
    // Only whole lines: the heartbeat may be about to write one.
    const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }

  #ask(message: string): Promise<PromptResult> {
    const answer = Promise.withResolvers<PromptResult>();
    this.#answers.push(answer);
    this.messages.push(message);
    for (const watcher of this.#watchers) watcher();
    return answer.promise;
  }

  #untilMessages(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#watchers.add(() => {
        if (this.messages.length >= count) resolve();
      });
    });
  }
}
