import {
  type AgentSettings,
  type HeartbeatDefinition,
  type HeartbeatDirectives,
  type RoutineTime,
  scheduleInterval,
} from "@mdx-ai/parser";

/** The input of the heartbeat. */
export interface HeartbeatPlan {
  /** heartbeat.md; absent without the file. */
  readonly definition?: HeartbeatDefinition | undefined;
  readonly settings: Pick<AgentSettings, "schedule" | "timezone">;
}

/** A task that the heartbeat runs at its times. */
export interface HeartbeatTask {
  /** Unique. That of the schedule is `WAKE`. */
  readonly name: string;
  /** What the model receives; absent for the schedule, which runs On Wake. */
  readonly text?: string;
  /** Not empty. */
  readonly times: readonly RoutineTime[];
  readonly directives: HeartbeatDirectives;
  /** IANA name. Absent: the machine's time zone. */
  readonly timezone?: string;
  /** Whether a module scheduled it. */
  readonly isOfModule?: true;
}

/** The name of the task of the schedule. */
const WAKE = "On Wake";

/**
 * The tasks: the schedule of heartbeat.md, else `schedule` of the settings, then the routine tasks. An empty heartbeat.md has none,
 * which turns the schedule off.
 */
export function heartbeatTasks({ definition, settings }: HeartbeatPlan): readonly HeartbeatTask[] {
  if (definition && isEmpty(definition)) return [];
  const { interval, cron = [], directives = {}, routines = [] } = definition ?? {};
  const milliseconds = interval ?? (cron.length === 0 ? scheduleInterval(settings.schedule ?? "") : undefined);
  const times: readonly RoutineTime[] = [
    ...(milliseconds === undefined ? [] : [{ type: "interval" as const, milliseconds }]),
    ...cron.map((expression) => ({ type: "cron" as const, expression })),
  ];
  const zone = (own: string | undefined): { readonly timezone?: string } => {
    const timezone = own ?? directives.timezone ?? settings.timezone;
    return timezone === undefined ? {} : { timezone };
  };
  const wake = { name: WAKE, times, directives, ...zone(undefined) };
  const names = new Set([WAKE]);
  const tasks = routines.map(({ name: text, time, directives: own = {} }): HeartbeatTask => {
    const name = newName(text.split("\n")[0] ?? "", names);
    return { name, text, times: [time], directives: own, ...zone(own.timezone) };
  });
  return times.length === 0 ? tasks : [wake, ...tasks];
}

/** The name, with a number if another task has it. */
function newName(name: string, names: Set<string>): string {
  let unique = name;
  for (let number = 2; names.has(unique); number++) unique = `${name} (${number})`;
  names.add(unique);
  return unique;
}

function isEmpty({ interval, cron, onWake, routines, contextReconstruction }: HeartbeatDefinition): boolean {
  const isTimed = interval !== undefined || cron !== undefined;
  return !isTimed && onWake.length + routines.length + contextReconstruction.length === 0;
}
