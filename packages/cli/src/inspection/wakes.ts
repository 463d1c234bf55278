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

/** One paragraph per task: its schedule, and its next times in words, in its time zone. */
export function wakesText(wakes: readonly WakeView[]): string {
  return wakes
    .map(({ task, interval, cron = [], timezone, next }) => {
      const paces = [...(interval === undefined ? [] : [`every ${intervalText(interval)}`]), ...cron.map((expression) => `at ${expression}`)]; // biome-ignore format: short
      const times = next.length === 0 ? "never again: no time is left" : wallTimes(next, timezone);
      return `  ${plainLine(task)}, ${plainLine(paces.join(" and "))}\n    ${times} (${plainLine(timezone)})\n`;
    })
    .join("");
}

/** Such as "Mon 30 Nov 2026 at 09:00, 12:00; Tue 1 Dec 2026 at 09:00". */
function wallTimes(next: readonly string[], timeZone: string): string {
  const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone }); // biome-ignore format: short
  const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
  const days = Map.groupBy(next, (time) => day.format(new Date(time)).replace(",", ""));
  return [...days]
    .map(([name, times]) => `${name} at ${times.map((time) => clock.format(new Date(time))).join(", ")}`)
    .join("; ");
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
