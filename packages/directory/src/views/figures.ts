const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A whole number with thousands separators: "1,234,567". */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

/** "1 line", "1,234 lines". */
export const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;

/** US dollars with suitable precision: "$1,234.50", "$0.0123", "$0.000042", "$0". */
export function dollars(amount: number): string {
  if (amount <= 0) return "$0";
  // Two significant digits, at least cents and at most a billionth.
  const digits = amount >= 1 ? 2 : Math.min(9, Math.max(4, 1 - Math.floor(Math.log10(amount))));
  const [whole = "", part = ""] = amount.toFixed(digits).split(".");
  return `$${grouped(Number(whole))}.${part.replace(/0+$/, "").padEnd(2, "0")}`;
}

/** A duration in milliseconds as text: "0.4 s", "2 s", "3 min 5 s", "8 h 12 min", "2 d 4 h". */
export function duration(milliseconds: number): string {
  const tenths = Math.round(milliseconds / 100);
  return tenths < 600 ? `${tenths / 10} s` : minutesText(milliseconds);
}

/** Milliseconds with suitable precision: "12 ms", "1.24 s"; from a minute on as `duration`. */
export function exactDuration(milliseconds: number): string {
  const whole = Math.round(milliseconds);
  if (whole < SECOND) return `${whole} ms`;
  return whole < 59_995 ? `${Math.round(whole / 10) / 100} s` : minutesText(whole);
}

function minutesText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / SECOND) * SECOND;
  if (seconds < HOUR) return pair(seconds, [MINUTE, "min"], [SECOND, "s"]);
  const minutes = Math.round(milliseconds / MINUTE) * MINUTE;
  if (minutes < DAY) return pair(minutes, [HOUR, "h"], [MINUTE, "min"]);
  return pair(Math.round(milliseconds / HOUR) * HOUR, [DAY, "d"], [HOUR, "h"]);
}

/** An age in milliseconds as text: "just now", "5 min ago", "3 h ago", "12 d ago". */
export function agoText(milliseconds: number): string {
  if (milliseconds < MINUTE) return "just now";
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min ago`;
  if (milliseconds < 2 * DAY) return `${Math.floor(milliseconds / HOUR)} h ago`;
  return `${grouped(Math.floor(milliseconds / DAY))} d ago`;
}

type Unit = readonly [length: number, name: string];

function pair(length: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.round((length % large) / small);
  return `${Math.floor(length / large)} ${largeName}${rest === 0 ? "" : ` ${rest} ${smallName}`}`;
}

/** A time in milliseconds since 1970 as ISO 8601; "?" if invalid, as in a damaged file. */
export const isoTime = (time: number): string => dateOf(time)?.toISOString() ?? "?";

/** As `isoTime`, in local time for people: "2026-04-28 17:05". */
export const localTime = (time: number): string => momentText(time)?.slice(0, -3) ?? "?";

/** Local time with seconds: "2026-03-01 14:05:09"; undefined for an invalid date. */
export function momentText(time: number | undefined): string | undefined {
  const date = dateOf(time);
  return date && `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clockOf(date)}`;
}

/** As `momentText`, without the day: "14:05:09". */
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
