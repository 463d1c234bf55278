import { expect, test } from "bun:test";
import { EMPTY_HEARTBEAT, routine } from "../../../../test/support/heartbeat-bench.ts";
import { wakeMessage } from "./heartbeat-module.ts";

const NOW = Date.parse("2026-11-21T09:00:00.000Z");
const settings = { timezone: "Asia/Tokyo" };
const definition = {
  interval: 1,
  onWake: ["Check for new messages", "Review pending tasks"],
  routines: [routine("Daily summary", "0 9 * * *")],
  contextReconstruction: ["Read state/priorities.md"],
};

test("a wake message holds context reconstruction, what to do on waking and the tasks that are due", () => {
  const due = [
    { time: { type: "interval", milliseconds: 1 } },
    { task: "Daily summary", time: { type: "interval", milliseconds: 1 } },
  ] as const;
  expect(wakeMessage({ definition, settings }, due, NOW)).toBe(`[heartbeat] It is 2026-11-21 18:00 (Asia/Tokyo).

## Context Reconstruction (do this first)

- Read state/priorities.md

## On Wake

- Check for new messages
- Review pending tasks

## Routine Tasks due now

- Daily summary`);
});

test("a schedule without tasks asks to look around", () => {
  expect(wakeMessage({ definition: EMPTY_HEARTBEAT, settings }, [], NOW)).toBe(
    "[heartbeat] It is 2026-11-21 18:00 (Asia/Tokyo).\n\nLook whether there is something for you to do, and do it.",
  );
});
