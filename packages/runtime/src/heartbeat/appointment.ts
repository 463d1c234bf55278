import { type AgentSettings, type HeartbeatDefinition, type RoutineTime, scheduleInterval } from "@mdx-ai/parser";

/** Something that the heartbeat wakes for. */
export interface Appointment {
  /** The routine task; absent for the plain wake-up of the schedule. */
  readonly task?: string;
  readonly time: RoutineTime;
}

/** Where the heartbeat takes its times from. */
export interface HeartbeatPlan {
  /** heartbeat.md; absent without the file. */
  readonly definition?: HeartbeatDefinition | undefined;
  readonly settings: Pick<AgentSettings, "schedule" | "timezone">;
}

/**
 * What there is to wake for: the interval of heartbeat.md, else `schedule` of the settings, then the routine tasks.
 * Nothing with an empty heartbeat.md, which is how an author silences the schedule.
 */
export function appointments({ definition, settings }: HeartbeatPlan): readonly Appointment[] {
  if (definition && isEmpty(definition)) return [];
  const milliseconds = definition?.interval ?? scheduleInterval(settings.schedule ?? "");
  const wakes: Appointment[] = milliseconds === undefined ? [] : [{ time: { type: "interval", milliseconds } }];
  return [...wakes, ...(definition?.routines ?? []).map(({ name, time }) => ({ task: name, time }))];
}

function isEmpty({ interval, onWake, routines, contextReconstruction }: HeartbeatDefinition): boolean {
  return interval === undefined && onWake.length + routines.length + contextReconstruction.length === 0;
}
