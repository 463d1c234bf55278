import type { HeartbeatPlan, ScheduleEntry } from "./schedule.ts";

/** The beginning of every wake message; the system prompt says what it means. */
export const HEARTBEAT_MARK = "[heartbeat]";

/** What the model receives when the heartbeat wakes for `due` at `now` (milliseconds since 1970). */
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
  // Sweden writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone: timezone });
  return `${format.format(time)} (${format.resolvedOptions().timeZone})`;
}

/** The entries that were due, in words, such as "interval; routine: Daily summary". */
export function wakeReason(due: readonly ScheduleEntry[]): string {
  return due.map(({ task }) => (task === undefined ? "interval" : `routine: ${task}`)).join("; ");
}
