import { describe, expect, test } from "bun:test";
import { cronTime } from "./cron-time.ts";

/** A Saturday. */
const FROM = Date.parse("2026-11-28T12:00:00Z");

function days(expression: string, timezone = "UTC"): readonly string[] {
  const times: number[] = [];
  for (let from = FROM; times.length < 5; ) {
    const next = cronTime(expression, from, timezone);
    if (next === undefined) break;
    times.push(next);
    from = next;
  }
  return times.map((time) => new Date(time).toISOString().slice(0, 10));
}

describe("the days of a cron expression", () => {
  test.each([
    ["either field, if both name days", "0 9 1,15 * 1", ["2026-11-30", "2026-12-01", "2026-12-07", "2026-12-14", "2026-12-15"]], // biome-ignore format: short
    ["both fields, if the day of the month begins with a star", "0 9 */2 * 1", ["2026-12-07", "2026-12-21", "2027-01-11", "2027-01-25", "2027-02-01"]], // biome-ignore format: short
    ["both fields, if the day of the week begins with a star", "0 9 1-7 * */3", ["2026-12-02", "2026-12-05", "2026-12-06", "2027-01-02", "2027-01-03"]], // biome-ignore format: short
    ["every weekday of a star with step 1", "0 9 */1 * MON", ["2026-11-30", "2026-12-07", "2026-12-14", "2026-12-21", "2026-12-28"]], // biome-ignore format: short
    ["one field, if the other is a star", "0 9 * * 1", ["2026-11-30", "2026-12-07", "2026-12-14", "2026-12-21", "2026-12-28"]], // biome-ignore format: short
    ["none, if a field never comes", "0 9 31 2 */2", []],
  ])("are those of %s", (_name, expression, expected) => {
    expect(days(expression)).toEqual([...expected]);
  });

  test("are found where both fields meet rarely, and in another time zone", () => {
    expect(days("0 0 */30 2 1").slice(0, 3)).toEqual(["2027-02-01", "2038-02-01", "2044-02-01"]);
    expect(new Date(cronTime("30 9 */2 * 1", FROM, "Europe/Vienna") ?? 0).toISOString()).toBe(
      "2026-12-07T08:30:00.000Z",
    );
  });
});
