/** A time in milliseconds since 1970 as ISO 8601; "?" if it is no date, as in a damaged file. */
export const isoTime = (time: number): string => dateOf(time)?.toISOString() ?? "?";

/** The same for people, in their time zone: "2026-04-28 17:05". */
export const localTime = (time: number): string => momentText(time)?.slice(0, -3) ?? "?";

/** In the local time zone to the second: "2026-03-01 14:05:09"; undefined for what is no date. */
export function momentText(time: number | undefined): string | undefined {
  const date = dateOf(time);
  return date && `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clockOf(date)}`;
}

/** The same without the day: "14:05:09". */
export function timeText(time: number | undefined): string | undefined {
  const date = dateOf(time);
  return date && clockOf(date);
}

function dateOf(time: number | undefined): Date | undefined {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const clockOf = (date: Date): string => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;

const two = (value: number): string => String(value).padStart(2, "0");
