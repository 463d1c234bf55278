import { readlinkSync } from "node:fs";
import { attempt } from "@mdx-ai/base";

const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/gu;
const SHORT: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/**
 * Any value as one line for people: an error gives its message, and line breaks and control characters become escapes
 * such as `\n` and `\u001b`. Never throws, whatever was thrown.
 */
export function lineText(value: unknown): string {
  const text = attempt(() => (value instanceof Error ? value.message || value.name : String(value)));
  return (text ?? "a value that cannot be shown as text").replace(UNPRINTABLE, escaped);
}

const escaped = (character: string): string => SHORT.get(character) ?? unicodeEscape(character);

/** The escape of a character in JSON, such as `\u001b`. */
export const unicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

const MINUTE = 60_000;

/** A time (milliseconds since 1970) as ISO 8601 in this machine's time zone, such as `2026-11-21T09:00:00.000+01:00`. */
export function localTime(time: number): string {
  const offset = isUtcMachine() ? 0 : -new Date(time).getTimezoneOffset();
  const local = new Date(time + offset * MINUTE).toISOString().slice(0, -1);
  return local + (offset < 0 ? "-" : "+") + new Date(Math.abs(offset) * MINUTE).toISOString().slice(11, 16);
}

/**
 * Whether the machine is explicitly set to UTC, as containers are. Then `Date` need not be asked, which would load the data of all
 * time zones: 4 ms and 3 MB, more than all else at the end of a prompt.
 */
function isUtcMachine(): boolean {
  const zone = process.env["TZ"];
  if (zone !== undefined) return zone === "UTC" || zone === "Etc/UTC";
  return attempt(() => readlinkSync("/etc/localtime"))?.endsWith("/UTC") === true;
}
