import { expect, test } from "bun:test";
import { join } from "node:path";

const PROCESS = join(import.meta.dir, "../../support/local-day-process.ts");
const HOUR = 3_600_000;

/** The day of a moment in a time zone, which a process has from its beginning. */
function dayIn(zone: string, moment: string): { start: string; hours: number } {
  const { stdout } = Bun.spawnSync([process.execPath, PROCESS, moment], { env: { ...process.env, TZ: zone } });
  const { start, end }: { start: number; end: number } = JSON.parse(stdout.toString());
  return { start: new Date(start).toISOString(), hours: (end - start) / HOUR };
}

test.each([
  ["a plain day", "Europe/Vienna", "2026-11-21T12:00:00Z", "2026-11-20T23:00:00.000Z", 24],
  ["the first moment", "Europe/Vienna", "2026-11-20T23:00:00Z", "2026-11-20T23:00:00.000Z", 24],
  ["the last moment", "Europe/Vienna", "2026-11-20T22:59:59.999Z", "2026-11-19T23:00:00.000Z", 24],
  ["a day that loses an hour", "Europe/Vienna", "2026-03-29T12:00:00Z", "2026-03-28T23:00:00.000Z", 23],
  ["a day that gains an hour", "Europe/Vienna", "2026-10-25T12:00:00Z", "2026-10-24T22:00:00.000Z", 25],
  ["a day that has midnight twice", "America/Havana", "2026-11-01T05:30:00Z", "2026-11-01T04:00:00.000Z", 25],
  ["a day without a midnight", "Africa/Cairo", "2026-04-24T12:00:00Z", "2026-04-23T22:00:00.000Z", 23],
  ["a zone of half an hour", "Asia/Kolkata", "2026-11-21T18:29:59Z", "2026-11-20T18:30:00.000Z", 24],
])("%s is in the local time zone", (_name, zone, moment, start, hours) => {
  expect(dayIn(zone, moment)).toEqual({ start, hours });
});
