/** A time of day. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

/** A part of the day, as people name it. */
export type DayPart = "morning" | "noon" | "afternoon" | "evening" | "night" | "midnight";

const clock = /^(\d{1,2})(?:[:.h](\d{2}))?\s*(?:(a|p)\.?m\.?|o'?clock|h)?$/;
/** The hours of a part of the day; a night continues after midnight. */
const hoursOf: Readonly<Record<DayPart, readonly [from: number, to: number]>> = {
  morning: [0, 12],
  noon: [11, 14],
  afternoon: [12, 18],
  evening: [16, 23],
  night: [18, 29],
  midnight: [0, 0],
};

/**
 * Reads `09:00`, `9`, `9:30 pm`, `noon` or `midnight`. Within a part of the day, a bare hour of the twelve is taken there:
 * `7` in the evening is 19:00. Undefined for any other text, and for a time of another part of the day.
 */
export function parseTimeOfDay(text: string, part?: DayPart): TimeOfDay | undefined {
  const written = text.trim().toLowerCase();
  if (written === "noon" || written === "midday") return fitting({ hour: 12, minute: 0 }, part);
  if (written === "midnight") return fitting({ hour: 0, minute: 0 }, part);
  const match = clock.exec(written);
  const hour = Number(match?.[1]);
  const minute = Number(match?.[2] ?? 0);
  if (match === null || hour > 23 || minute > 59) return undefined;
  if (match[3] !== undefined)
    return hour < 1 || hour > 12 ? undefined : fitting({ hour: halfDay(hour, match[3]), minute }, part);
  const isBare = !written.startsWith("0") && hour >= 1 && hour < 12;
  const time = fitting({ hour, minute }, part);
  return time ?? (isBare ? fitting({ hour: hour + 12, minute }, part) : undefined);
}

/** The time of a part of the day whose name alone names one. */
export function timeOfPart(part: DayPart): TimeOfDay | undefined {
  if (part === "noon") return { hour: 12, minute: 0 };
  return part === "midnight" ? { hour: 0, minute: 0 } : undefined;
}

function halfDay(hour: number, half: string): number {
  return (hour % 12) + (half === "p" ? 12 : 0);
}

function fitting(time: TimeOfDay, part: DayPart | undefined): TimeOfDay | undefined {
  if (part === undefined) return time;
  const [from, to] = hoursOf[part];
  const isWithin = [time.hour, time.hour + 24].some((hour) => from <= hour && hour <= to);
  return isWithin ? time : undefined;
}
