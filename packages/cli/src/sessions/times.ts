/** The largest time of a JavaScript date, in milliseconds since 1970. */
const FARTHEST = 8.64e15;

/** A time in milliseconds since 1970 as ISO 8601; "?" if it is no date, as in a damaged file. */
export const isoTime = (time: number): string => (isDate(time) ? new Date(time).toISOString() : "?");

/** The same for people, in their time zone: "2026-04-28 17:05". */
export const localTime = (time: number): string =>
  // Sweden writes dates as ISO 8601 does.
  isDate(time) ? new Date(time).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" }) : "?";

const isDate = (time: number): boolean => Math.abs(time) <= FARTHEST;
