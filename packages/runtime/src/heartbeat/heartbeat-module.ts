import { lineText } from "../log/line-text.ts";
import type { Clock } from "../types/agent.ts";
import type { AgentModule, ModuleContext, PromptOutcome } from "../types/module.ts";
import { type Appointment, appointments, type HeartbeatPlan } from "./appointment.ts";
import { nextTime } from "./next-time.ts";
import { Timetable } from "./timetable.ts";
import { HEARTBEAT_MARK, wakeMessage } from "./wake-message.ts";
import { appendWakeRecord, type WakeRecord, wakeReason } from "./wake-record.ts";
import { Waker } from "./waker.ts";

export interface HeartbeatOptions extends HeartbeatPlan {
  /** Holds `state/`. Absolute. */
  readonly dataDir: string;
  readonly clock: Clock;
  /** With false the module is initialized and started, but never wakes. */
  readonly wakes: boolean;
  /** With true nothing is written to `state/heartbeat.jsonl`. */
  readonly ephemeral?: boolean | undefined;
  /** Told what a user should know: one line. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * The builtin module that wakes the agent at the interval of heartbeat.md (or the settings' `schedule`) and at the times
 * of its routine tasks. The first wake of an interval comes after the interval. Wakes never overlap: what comes due while
 * one runs, or while the machine sleeps, is worked off in one wake afterwards. A wake that fails is logged, and the next
 * comes as planned. Without heartbeat.md and `schedule` it does nothing and says nothing.
 */
export function heartbeatModule(options: HeartbeatOptions): AgentModule {
  return new Heartbeat(options);
}

const SECTION = `## Heartbeat

A message that begins with ${HEARTBEAT_MARK} comes from your own schedule; no user waits for the answer.`;

class Heartbeat implements AgentModule {
  readonly #options: HeartbeatOptions;
  readonly #appointments: readonly Appointment[];
  #context: ModuleContext | undefined;
  #waker: Waker | undefined;
  #stopped = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#appointments = appointments(options);
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

  /** The same with and without wakes, so that both share a cached prefix. */
  systemPrompt(): string {
    return this.#appointments.length === 0 ? "" : SECTION;
  }

  async start(): Promise<void> {
    const { clock, wakes } = this.#options;
    const context = this.#context;
    if (!wakes || this.#stopped || !context) return;
    const plan = { ...this.#options, settings: this.#settings() };
    const timetable = this.#timetable(plan.settings.timezone);
    this.#waker = new Waker({ clock, timetable, wake: (due) => this.#wake(due, plan, context) });
    this.#waker.start();
  }

  stop(): void {
    this.#stopped = true;
    this.#waker?.stop();
  }

  #settings(): HeartbeatPlan["settings"] {
    const { settings } = this.#options;
    if (settings.timezone === undefined || isTimezone(settings.timezone)) return settings;
    this.#report(`the time zone ${settings.timezone} is not known; times are those of this machine`);
    return settings.schedule === undefined ? {} : { schedule: settings.schedule };
  }

  /** Leaves out what can never be due, so that the rest still wakes. */
  #timetable(timezone: string | undefined): Timetable {
    const now = this.#options.clock.now();
    const kept = this.#appointments.filter(({ task, time }) => {
      try {
        return nextTime(time, now, timezone) > now;
      } catch (error) {
        this.#report(`the routine task ${JSON.stringify(task)} is left out: ${lineText(error)}`);
        return false;
      }
    });
    return new Timetable(kept, now, timezone);
  }

  async #wake(due: readonly Appointment[], plan: HeartbeatPlan, context: ModuleContext): Promise<void> {
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
      appendWakeRecord(this.#options.dataDir, record);
    } catch (error) {
      // An agent that was closed in the middle of a wake may have lost its directory since.
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

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
