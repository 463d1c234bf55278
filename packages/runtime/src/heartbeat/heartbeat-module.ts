import { attempt, type Clock, dataLayout, lineText } from "@mdx-ai/base";
import { appendLines } from "@mdx-ai/base/disk";
import type { PromptOutcome } from "@mdx-ai/loop";
import type { AgentModule, ModuleContext } from "../types/module.ts";
import { type HeartbeatPlan, nextTime, Schedule, type ScheduleEntry, Scheduler, scheduleEntries } from "./schedule.ts";

export interface HeartbeatOptions extends HeartbeatPlan {
  /** Contains `state/`. Absolute. */
  readonly dataDir: string;
  readonly clock: Clock;
  /** If false, the module is initialized and started, but never wakes. */
  readonly wakes: boolean;
  /** If true, nothing is written to `state/heartbeat.jsonl`. */
  readonly ephemeral?: boolean | undefined;
  /** Receives warnings for the user, one line each. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** A line of `state/heartbeat.jsonl`. */
interface WakeRecord {
  /** When the wake began, ISO 8601 in UTC. */
  readonly at: string;
  /** Such as "interval; routine: Daily summary". */
  readonly reason: string;
  readonly outcome: PromptOutcome;
  readonly durationMs: number;
}

/** The beginning of every wake message; the system prompt says what it means. */
const HEARTBEAT_MARK = "[heartbeat]";

const SECTION = `## Heartbeat

A message that begins with ${HEARTBEAT_MARK} comes from your own schedule; no user waits for the answer.`;

/**
 * The builtin module that wakes the agent at the interval of heartbeat.md (or the settings' `schedule`) and at the times
 * of its routine tasks. The first wake of an interval comes after the interval. Wakes never overlap: entries that come due
 * during a wake, or while the machine sleeps, share one wake afterwards. A failed wake is logged, and the next
 * comes as planned. Without heartbeat.md and `schedule` it does nothing and adds nothing to the prompt.
 */
export class HeartbeatModule implements AgentModule {
  readonly #options: HeartbeatOptions;
  readonly #entries: readonly ScheduleEntry[];
  #context: ModuleContext | undefined;
  #scheduler: Scheduler | undefined;
  #stopped = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#entries = scheduleEntries(options);
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
    return this.#entries.length === 0 ? "" : SECTION;
  }

  async start(): Promise<void> {
    const { clock, wakes } = this.#options;
    const context = this.#context;
    if (!wakes || this.#stopped || !context) return;
    const plan = { ...this.#options, settings: this.#settings() };
    const schedule = this.#schedule(plan.settings.timezone);
    this.#scheduler = new Scheduler({ clock, schedule, wake: (due) => this.#wake(due, plan, context) });
    this.#scheduler.start();
  }

  stop(): void {
    this.#stopped = true;
    this.#scheduler?.stop();
  }

  #settings(): HeartbeatPlan["settings"] {
    const { settings } = this.#options;
    if (settings.timezone === undefined || isTimezone(settings.timezone)) return settings;
    this.#report(`unknown time zone ${settings.timezone}; using the time zone of this machine`);
    return settings.schedule === undefined ? {} : { schedule: settings.schedule };
  }

  /** Leaves out entries that can never be due, so that the others still wake. */
  #schedule(timezone: string | undefined): Schedule {
    const now = this.#options.clock.now();
    const kept = this.#entries.filter(({ task, time }) => {
      try {
        return nextTime(time, now, timezone) > now;
      } catch (error) {
        this.#report(`the routine task ${JSON.stringify(task)} is left out: ${lineText(error)}`);
        return false;
      }
    });
    return new Schedule(kept, now, timezone);
  }

  async #wake(due: readonly ScheduleEntry[], plan: HeartbeatPlan, context: ModuleContext): Promise<void> {
    const began = this.#options.clock.now();
    const outcome = await promptOutcome(context, wakeMessage(plan, due, began));
    const record: WakeRecord = {
      at: new Date(began).toISOString(),
      reason: wakeReason(due),
      outcome,
      durationMs: Math.max(0, this.#options.clock.now() - began),
    };
    await context.log(`woke (${record.reason}): ${outcome} after ${record.durationMs} ms`);
    this.#keep(record);
  }

  #keep(record: WakeRecord): void {
    if (this.#options.ephemeral) return;
    try {
      appendLines(dataLayout(this.#options.dataDir).heartbeatRecord, [JSON.stringify(record)]);
    } catch (error) {
      // The directory of an agent that was closed during a wake may be gone.
      if (!this.#stopped) this.#report(`state/heartbeat.jsonl could not be written: ${lineText(error)}`);
    }
  }

  #report(problem: string): void {
    void this.#context?.log(problem);
    this.#options.onWarning?.(`heartbeat: ${problem}`);
  }
}

async function promptOutcome(context: ModuleContext, message: string): Promise<PromptOutcome> {
  try {
    return (await context.prompt(message)).outcome;
  } catch (error) {
    await context.log(`the wake failed: ${lineText(error)}`);
    return "error";
  }
}

const isTimezone = (name: string): boolean =>
  attempt(() => new Intl.DateTimeFormat("en", { timeZone: name })) !== undefined;

/** The message that wakes the model for `due` at `now` (milliseconds since 1970). */
export function wakeMessage(plan: HeartbeatPlan, due: readonly ScheduleEntry[], now: number): string {
  const { definition, settings } = plan;
  const tasks = due.flatMap(({ task }) => task ?? []);
  const sections = [
    section("Context Reconstruction (do this first)", definition?.contextReconstruction ?? []),
    section("On Wake", definition?.onWake ?? []),
    section("Routine Tasks due now", tasks),
  ].filter((text) => text !== "");
  const work = sections.length > 0 ? sections : ["Look whether there is something for you to do, and do it."];
  return [`${HEARTBEAT_MARK} It is ${wallTime(now, settings.timezone)}.`, ...work].join("\n\n");
}

function section(title: string, items: readonly string[]): string {
  return items.length === 0 ? "" : [`## ${title}`, "", ...items.map((item) => `- ${item}`)].join("\n");
}

/** Such as "2026-11-21 09:00 (Europe/Vienna)". */
function wallTime(time: number, timezone: string | undefined): string {
  // The Swedish format is ISO 8601.
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone: timezone });
  return `${format.format(time)} (${format.resolvedOptions().timeZone})`;
}

/** Describes the due entries, such as "interval; routine: Daily summary". */
function wakeReason(due: readonly ScheduleEntry[]): string {
  return due.map(({ task }) => (task === undefined ? "interval" : `routine: ${task}`)).join("; ");
}
