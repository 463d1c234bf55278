/** The farthest that a date of JavaScript reaches, in milliseconds from 1970. */
const FARTHEST = 8.64e15;

/** A time in milliseconds since 1970 as ISO 8601; what no date can stand for, as a damaged file may hold it, is "?". */
export const isoTime = (time: number): string => (isDate(time) ? new Date(time).toISOString() : "?");

/** The same for people, in their time zone: "2026-04-28 17:05". */
export const localTime = (time: number): string =>
  // Sweden writes dates as ISO 8601 does.
  isDate(time) ? new Date(time).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" }) : "?";

const isDate = (time: number): boolean => Math.abs(time) <= FARTHEST;
