import { plainLine } from "@mdx-ai/directory/text";
import type { AgentDefinition } from "@mdx-ai/parser";
import type { WakeView } from "@mdx-ai/runtime/heartbeat";

/** The entries of an agent's schedule with their next times after `now` (milliseconds since 1970). Loads the schedule if there is one. */
export async function wakesOf(
  { heartbeat: definition, settings }: Pick<AgentDefinition, "heartbeat" | "settings">,
  now: number,
): Promise<readonly WakeView[]> {
  if (definition === undefined && settings.schedule === undefined) return [];
  const { wakeViews } = await import("@mdx-ai/runtime/heartbeat");
  return wakeViews({ definition, settings }, now);
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
