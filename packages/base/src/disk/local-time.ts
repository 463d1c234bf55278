import { readlinkSync } from "node:fs";
import { attempt } from "../errors/attempt.ts";

const MINUTE = 60_000;

/** A time (milliseconds since 1970) as ISO 8601 in this machine's time zone, such as `2026-11-21T09:00:00.000+01:00`. */
export const localTime = (time: number): string => localTimes()(time);

/** The same for many times: looks up once whether the machine is set to UTC. */
export function localTimes(): (time: number) => string {
  const isUtc = isUtcMachine();
  return (time) => {
    const offset = isUtc ? 0 : -new Date(time).getTimezoneOffset();
    const local = new Date(time + offset * MINUTE).toISOString().slice(0, -1);
    return local + (offset < 0 ? "-" : "+") + new Date(Math.abs(offset) * MINUTE).toISOString().slice(11, 16);
  };
}

/**
 * Whether the machine is explicitly set to UTC, as containers are. Then `Date` is not used: it would load the data of all time
 * zones, which takes 4 ms and 3 MB, more than anything else at the end of a prompt.
 */
function isUtcMachine(): boolean {
  const zone = process.env["TZ"];
  if (zone !== undefined) return zone === "UTC" || zone === "Etc/UTC";
  return attempt(() => readlinkSync("/etc/localtime"))?.endsWith("/UTC") === true;
}
