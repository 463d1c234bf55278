import { lineText } from "@mdx-ai/base";
import { taskTime } from "@mdx-ai/parser/task-time";
import type { LiveModule } from "../modules/live-module.ts";
import type { ModuleDue, ModuleTask, PromptResult } from "../types/module.ts";
import type { AgentSchedule } from "./agent-schedule.ts";
import { ScheduleError } from "./due-times.ts";
import type { HeartbeatTask } from "./heartbeat-tasks.ts";
import type { RunEnd, Wake } from "./wake.ts";

/** A running task of a module. */
export interface RunningTask {
  /** Its name in the record. */
  readonly name: string;
  readonly isResumed: boolean;
  /** Counts a prompt of the task. */
  spend(cost: Pick<PromptResult, "usd" | "tokens">): void;
}

export type RunModuleTask = (due: ModuleDue, running: RunningTask) => Promise<void>;

/** A task of a module, run in a way that attributes its prompts to it. */
export interface ScheduledTask extends Omit<ModuleTask, "run"> {
  readonly run: RunModuleTask;
}

/** Adds a task of a module. Throws `ScheduleError`. */
export function scheduleTask(
  schedule: AgentSchedule,
  task: ScheduledTask,
  { key, signal }: Pick<LiveModule, "key" | "signal">,
  { timezone: usual }: { readonly timezone?: string | undefined },
): () => void {
  const { when, missed, timezone = usual } = task;
  const time = taskTime(when);
  if (time === undefined)
    throw new ScheduleError(
      `unexpected ${JSON.stringify(when)}, expected "15m", "every day at 09:00" or a line of cron`,
    );
  const name = `${key}: ${task.name}`;
  const known: HeartbeatTask = {
    ...{ name, times: [time], isOfModule: true, directives: missed === undefined ? {} : { missed } },
    ...(timezone !== undefined && { timezone }),
  };
  const remove = schedule.add(known, (wake) => runTask({ ...task, name }, wake, signal));
  signal.addEventListener("abort", remove, { once: true });
  return remove;
}

/** A run that its module's end interrupts is begun again by the next process. */
async function runTask(
  { name, run }: ScheduledTask,
  { due: [first], now, isResumed }: Wake,
  signal: AbortSignal,
): Promise<RunEnd | undefined> {
  const { due = now, count = 0 } = first ?? {};
  let [usd, tokens] = [0, 0];
  const spend: RunningTask["spend"] = (cost) => {
    usd += cost.usd;
    tokens += cost.tokens;
  };
  try {
    await run({ due: new Date(due).toISOString(), count, isResumed, signal }, { name, isResumed, spend });
    return { outcome: "done", usd, tokens };
  } catch (error) {
    return signal.aborted ? undefined : { outcome: "error", usd, tokens, reason: lineText(error) };
  }
}
