import type { Appointment, HeartbeatPlan } from "./appointment.ts";

/** How every wake message begins; the system prompt says what it means. */
export const HEARTBEAT_MARK = "[heartbeat]";

/** What the model is told when the heartbeat wakes for `due` at `now` (milliseconds since 1970). */
export function wakeMessage(plan: HeartbeatPlan, due: readonly Appointment[], now: number): string {
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
  // Sweden's way of writing dates is ISO 8601.
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone: timezone });
  return `${format.format(time)} (${format.resolvedOptions().timeZone})`;
}
