import { describe, expect, test } from "bun:test";
import { parseHeartbeat } from "@mdx-ai/parser/parse";
import { placesOf } from "../../support/diagnostic-places.ts";

const read = (line: string) => parseHeartbeat(`## Routine Tasks\n\n- ${line}\n`);
const minute = 60_000;
const hour = 60 * minute;

describe("a routine task is due by a cron expression", () => {
  const rows: readonly [string, string][] = [
    ["Every morning at 09:00: Task", "0 9 * * *"],
    ["every day at 9:05: Task", "5 9 * * *"],
    ["Each day at 18.30: Task", "30 18 * * *"],
    ["Daily at 18:30: Task", "30 18 * * *"],
    ["daily at 6 pm: Task", "0 18 * * *"],
    ["Every day at 12am: Task", "0 0 * * *"],
    ["Every day at 12 p.m.: Task", "0 12 * * *"],
    ["Every day at noon: Task", "0 12 * * *"],
    ["Every noon: Task", "0 12 * * *"],
    ["Every midnight: Task", "0 0 * * *"],
    ["Every evening at 7: Task", "0 19 * * *"],
    ["Every evening at 19:30: Task", "30 19 * * *"],
    ["Every afternoon at 3:15: Task", "15 15 * * *"],
    ["Every night at 11: Task", "0 23 * * *"],
    ["Every night at 2: Task", "0 2 * * *"],
    ["Nightly at 02:30: Task", "30 2 * * *"],
    ["Every Monday at 10:00: Task", "0 10 * * 1"],
    ["Mondays at 10:00: Task", "0 10 * * 1"],
    ["On Fridays at 4 pm: Task", "0 16 * * 5"],
    ["Weekly on Friday at 09:00: Task", "0 9 * * 5"],
    ["Every Tue and Thu at 8: Task", "0 8 * * 2,4"],
    ["Every Monday, Wednesday and Friday at 08:00: Task", "0 8 * * 1,3,5"],
    ["Every Wednesday morning at 8: Task", "0 8 * * 3"],
    ["Every weekday at 08:45: Task", "45 8 * * 1-5"],
    ["Monday to Friday at 08:45: Task", "45 8 * * 1,2,3,4,5"],
    ["Every Fri-Mon at 8: Task", "0 8 * * 0,1,5,6"],
    ["Every weekend at 10: Task", "0 10 * * 0,6"],
    ["At 09:00 every day: Task", "0 9 * * *"],
    ["At 9 am on Mondays: Task", "0 9 * * 1"],
    ["At 07:00: Task", "0 7 * * *"],
    ["Every day at 9 and 17: Task", "0 9,17 * * *"],
    ["Every hour at :15: Task", "15 * * * *"],
    ["Hourly at minute 5: Task", "5 * * * *"],
    ["Monthly on the 1st at 09:00: Task", "0 9 1 * *"],
    ["Every month on the 15th at 9: Task", "0 9 15 * *"],
    ["*/10 8-18 * * 1-5: Task", "*/10 8-18 * * 1-5"],
    ["`0 9 * * MON`: Task", "0 9 * * MON"],
    ["@daily: Task", "0 0 * * *"],
    ["**Every day at 09:00**: Task", "0 9 * * *"],
    ["**Every day at 09:00:** Task", "0 9 * * *"],
    ["Every day at 09:00 - Task", "0 9 * * *"],
    ["Every day at 09:00 — Task", "0 9 * * *"],
    ["Every  day   at 09:00 → Task", "0 9 * * *"],
  ];
  for (const [line, expression] of rows) {
    test(line, () => {
      const { definition: heartbeat, diagnostics } = read(line);
      expect(diagnostics).toEqual([]);
      expect(heartbeat.routines).toEqual([
        { name: "Task", time: { type: "cron", expression }, position: { line: 3, column: 3 } },
      ]);
    });
  }
});

describe("a routine task is due by an interval", () => {
  const rows: readonly [string, number][] = [
    ["Every hour: Task", hour],
    ["Hourly: Task", hour],
    ["every minute: Task", minute],
    ["Every 15 minutes: Task", 15 * minute],
    ["Every 15 min: Task", 15 * minute],
    ["Every 15m: Task", 15 * minute],
    ["Every 1h30m: Task", 90 * minute],
    ["@every 2h: Task", 2 * hour],
    ["@every: 30s: Task", 30_000],
    ["Every 2 hours: Task", 2 * hour],
    ["Every half hour: Task", 30 * minute],
    ["Every 1 hour 30 minutes: Task", 90 * minute],
    ["Every other hour: Task", 2 * hour],
    ["Every 1.5 hours: Task", 90 * minute],
    ["Every day: Task", 24 * hour],
    ["Daily: Task", 24 * hour],
    ["Weekly: Task", 7 * 24 * hour],
    ["Every 2 days: Task", 48 * hour],
  ];
  for (const [line, milliseconds] of rows) {
    test(line, () => {
      const { definition: heartbeat, diagnostics } = read(line);
      expect(diagnostics).toEqual([]);
      expect(heartbeat.routines).toMatchObject([{ name: "Task", time: { type: "interval", milliseconds } }]);
    });
  }
});

describe("a line that cannot be read is an error, never a guess", () => {
  const rows: readonly string[] = [
    "Whenever you like: Task",
    "Every morning: Task",
    "Every evening: Task",
    "Every Monday: Task",
    "Every day at 25:00: Task",
    "Every day at 9:75: Task",
    "Every day at 13 pm: Task",
    "Every morning at 14:00: Task",
    "Every evening at 07:00: Task",
    "Every noon at 03:00: Task",
    "Every hour at 75: Task",
    "Every Moonday at 9: Task",
    "Every 0 minutes: Task",
    "Every 90 days: Task",
    "Every 2 days at 9: Task",
    "Every week at 9: Task",
    "Every month on the 32nd at 9: Task",
    "Every day at 9:00 and 10:30: Task",
    "Every day at 09:00",
    "Every day at 09:00:",
    "Every day at 09:00 Task",
    "99 9 * * *: Task",
    "Task",
  ];
  for (const line of rows) {
    test(line, () => {
      const { definition: heartbeat, diagnostics } = read(line);
      expect(heartbeat.routines).toEqual([]);
      expect(placesOf(diagnostics)).toEqual(["3:3 heartbeat-routine"]);
      expect(diagnostics[0]).toMatchObject({ severity: "error" });
      expect(diagnostics[0]?.message).toMatch(/^unexpected routine task .+, expected .+/);
      expect(diagnostics[0]?.hint).not.toBe("");
    });
  }
});

test("a name keeps its own colons, dashes and further lines", () => {
  const { definition: heartbeat } = read("Every hour: Check: a - b\n  - and c");
  expect(heartbeat.routines[0]?.name).toBe("Check: a - b\n  - and c");
});
