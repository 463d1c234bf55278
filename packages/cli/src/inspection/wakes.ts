import { plainLine } from "@mdx-ai/directory/text";
import type { AgentDefinition } from "@mdx-ai/parser";

/** An entry of the schedule, and when it triggers next. */
export interface WakeView {
  /** The routine task; absent for the interval. */
  readonly task?: string;
  /** Milliseconds between wakes. */
  readonly interval?: number;
  /** A five-field cron expression in `timezone`. */
  readonly cron?: string;
  /** IANA name. Default: this machine's. */
  readonly timezone: string;
  /** The next three times if the agent starts now; ISO 8601, UTC. */
  readonly next: readonly string[];
}

const SHOWN = 3;

/** The entries of an agent's schedule with their next times after `now` (milliseconds since 1970). */
export async function wakeViews(
  { heartbeat: definition, settings }: Pick<AgentDefinition, "heartbeat" | "settings">,
  now: number,
): Promise<readonly WakeView[]> {
  if (definition === undefined && settings.schedule === undefined) return [];
  const { upcomingWakes } = await import("@mdx-ai/runtime/heartbeat");
  const timezone = settings.timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return upcomingWakes({ definition, settings }, now, SHOWN).map(({ entry: { task, time }, times }) => ({
    ...(task !== undefined && { task }),
    ...(time.type === "interval" ? { interval: time.milliseconds } : { cron: time.expression }),
    timezone,
    next: times.map((next) => new Date(next).toISOString()),
  }));
}

/** One paragraph per entry: its schedule, and its next times in the agent's time zone. */
export function wakesText(wakes: readonly WakeView[]): string {
  return wakes
    .map(({ task, interval, cron, timezone, next }) => {
      const pace = interval === undefined ? `at ${cron}` : `every ${intervalText(interval)}`;
      const times = next.length === 0 ? "never" : next.map((time) => wallTime(time, timezone)).join(", ");
      return `  ${plainLine(task ?? "The agent")}, ${plainLine(pace)}\n    ${times} (${plainLine(timezone)})\n`;
    })
    .join("");
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
] as const;

/** Such as `1h30m`, as authors write it. */
function intervalText(milliseconds: number): string {
  let rest = milliseconds;
  let text = "";
  for (const [unit, length] of UNITS) {
    const amount = Math.floor(rest / length);
    rest -= amount * length;
    if (amount > 0) text += `${amount}${unit}`;
  }
  return text;
}

function wallTime(time: string, timezone: string): string {
  // The Swedish date format is ISO 8601.
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone: timezone });
  return format.format(new Date(time));
}
