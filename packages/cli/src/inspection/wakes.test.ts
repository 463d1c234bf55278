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
    interval: 5_400_000,
    timezone,
    next: ["2026-03-28T11:30:00.000Z", "2026-03-28T13:00:00.000Z", "2026-03-28T14:30:00.000Z"],
  },
  {
    task: "Daily summary",
    cron: "0 9 * * *",
    timezone,
    // The clock goes forward on the 29th.
    next: ["2026-03-29T07:00:00.000Z", "2026-03-30T07:00:00.000Z", "2026-03-31T07:00:00.000Z"],
  },
];

test("the next three times of each entry are shown, in the time zone of the agent", async () => {
  const { heartbeat, diagnostics } = parseHeartbeat(HEARTBEAT);
  expect(diagnostics).toEqual([]);
  expect(await wakesOf({ heartbeat, settings: { timezone } }, NOW)).toEqual([...WAKES]);
  expect(wakesText(WAKES)).toBe(
    [
      "  The agent, every 1h30m",
      "    2026-03-28 12:30, 2026-03-28 14:00, 2026-03-28 15:30 (Europe/Vienna)",
      "  Daily summary, at 0 9 * * *",
      "    2026-03-29 09:00, 2026-03-30 09:00, 2026-03-31 09:00 (Europe/Vienna)",
      "",
    ].join("\n"),
  );
});

test.each<{ title: string; cron: string; next: readonly string[]; text: string }>([
  { title: "that never comes", cron: "0 0 30 2 *", next: [], text: "never" },
  { title: "of the leap day", cron: "0 0 29 2 *", next: ["2028-02-29T00:00:00.000Z"], text: "2028-02-29 00:00" },
])("a time $title", async ({ cron, next, text }) => {
  const routines = [{ name: "r", time: { type: "cron", expression: cron }, position: { line: 1, column: 1 } } as const];
  const heartbeat = { onWake: [], routines, contextReconstruction: [] };
  const views = await wakesOf({ heartbeat, settings: { timezone: "UTC" } }, NOW);
  expect(views[0]?.next.slice(0, 1)).toEqual([...next]);
  expect(wakesText(views)).toContain(text);
});

test("an agent without a schedule has none, and the settings may say when it does", async () => {
  expect(await wakesOf({ settings: {} }, NOW)).toEqual([]);
  expect(await wakesOf({ settings: { schedule: "1d", timezone } }, NOW)).toMatchObject([{ interval: 86_400_000 }]);
});
