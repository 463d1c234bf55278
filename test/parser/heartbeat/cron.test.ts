import { describe, expect, test } from "bun:test";
import { nextCronTime } from "@mdx-ai/parser/cron";

/** A Saturday. */
const FROM = Date.parse("2026-11-28T12:00:00Z");

function days(expression: string, timezone = "UTC"): readonly string[] {
  const times: number[] = [];
  for (let from = FROM; times.length < 5; ) {
    const next = nextCronTime(expression, from, timezone);
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
    expect(new Date(nextCronTime("30 9 */2 * 1", FROM, "Europe/Vienna") ?? 0).toISOString()).toBe(
      "2026-12-07T08:30:00.000Z",
    );
  });
});

/** The times after `from`, in UTC. */
function times(expression: string, from: string, count: number): readonly string[] {
  const found: number[] = [];
  for (let after = Date.parse(from); found.length < count; ) {
    const next = nextCronTime(expression, after, "Europe/Vienna");
    if (next === undefined) break;
    found.push(next);
    after = next;
  }
  return found.map((time) => new Date(time).toISOString().slice(5, 16));
}

test.each([
  ["a skipped time is due as soon as the clock has passed it", "30 2 * * *", "2026-03-28T12:00Z", ["03-29T01:00", "03-30T00:30"]], // biome-ignore format: short
  ["a repeated time is due once", "30 2 * * *", "2026-10-24T12:00Z", ["10-25T00:30", "10-26T01:30"]],
  ["every 30 minutes goes on through the skipped hour", "*/30 * * * *", "2026-03-29T00:15Z", ["03-29T00:30", "03-29T01:00", "03-29T01:30"]], // biome-ignore format: short
  ["every 30 minutes goes on through the repeated hour", "*/30 * * * *", "2026-10-25T00:15Z", ["10-25T00:30", "10-25T01:00", "10-25T01:30", "10-25T02:00"]], // biome-ignore format: short
  ["the leap day comes every four years", "0 9 29 2 *", "2026-01-01T00:00Z", ["02-29T08:00", "02-29T08:00"]],
])("when clocks and calendars change: %s", (_name, expression, from, expected) => {
  expect(times(expression, from, expected.length)).toEqual([...expected]);
});
