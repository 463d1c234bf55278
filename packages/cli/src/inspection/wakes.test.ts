import { expect, test } from "bun:test";
import { parseHeartbeat } from "@mdx-ai/parser/parse";
import type { WakeView } from "@mdx-ai/runtime/heartbeat";
import { wakesOf, wakesText } from "./wakes.ts";

const NOW = Date.parse("2026-03-28T10:00:00Z");
const timezone = "Europe/Vienna";

const HEARTBEAT = `---
schedule: 1h30m
---

## Routine Tasks

- Every morning at 09:00: Daily summary
`;

const WAKES: readonly WakeView[] = [
  {
    task: "On Wake",
    interval: 5_400_000,
    timezone,
    next: ["11:30", "13:00", "14:30", "16:00", "17:30"].map((time) => `2026-03-28T${time}:00.000Z`),
  },
  {
    task: "Daily summary",
    cron: ["0 9 * * *"],
    timezone,
    // The clock goes forward on the 29th.
    next: ["03-29", "03-30", "03-31", "04-01", "04-02"].map((day) => `2026-${day}T07:00:00.000Z`),
  },
];

test("the next five times of each task are shown in words, in the time zone of the agent", async () => {
  const { definition: heartbeat, diagnostics } = parseHeartbeat(HEARTBEAT);
  expect(diagnostics).toEqual([]);
  expect(await wakesOf({ heartbeat, settings: { timezone } }, NOW)).toEqual([...WAKES]);
  expect(wakesText(WAKES)).toBe(
    [
      "  On Wake, every 1h30m",
      "    Sat 28 Mar 2026 at 12:30, 14:00, 15:30, 17:00, 18:30 (Europe/Vienna)",
      "  Daily summary, at 0 9 * * *",
      "    Sun 29 Mar 2026 at 09:00; Mon 30 Mar 2026 at 09:00; Tue 31 Mar 2026 at 09:00; Wed 1 Apr 2026 at 09:00; Thu 2 Apr 2026 at 09:00 (Europe/Vienna)",
      "",
    ].join("\n"),
  );
});

test.each<{ title: string; cron: string; next: readonly string[]; text: string }>([
  { title: "that never comes", cron: "0 0 30 2 *", next: [], text: "never again" },
  {
    title: "of the leap day",
    cron: "0 0 29 2 *",
    next: ["2028-02-29T00:00:00.000Z"],
    text: "Tue 29 Feb 2028 at 00:00",
  },
])("a time $title", async ({ cron, next, text }) => {
  const routines = [{ name: "r", time: { type: "cron", expression: cron }, position: { line: 1, column: 1 } } as const];
  const heartbeat = { onWake: [], routines, contextReconstruction: [] };
  const views = await wakesOf({ heartbeat, settings: { timezone: "UTC" } }, NOW);
  expect(views[0]?.next.slice(0, 1)).toEqual([...next]);
  expect(wakesText(views)).toContain(text);
});

test("an agent without a schedule has none, and the settings may say when it does", async () => {
  expect(await wakesOf({ settings: {} }, NOW)).toEqual([]);
  expect(await wakesOf({ settings: { schedule: "1d", timezone } }, NOW)).toMatchObject([
    { task: "On Wake", interval: 86_400_000 },
  ]);
});
