import { expect, test } from "bun:test";
import { parseHeartbeat } from "@mdx-ai/parser/parse";
import { heartbeatTasks } from "./heartbeat-tasks.ts";
import { isSilent, wakeMessage } from "./wake-message.ts";

const NOW = Date.parse("2026-11-21T09:00:00.000Z");
const { definition } = parseHeartbeat(`@every: 1h

## On Wake

- Check for new messages
- Review pending tasks

## Routine Tasks

- Every day at 18:00: Daily summary

## Context Reconstruction

- Read state/priorities.md
`);

const tasksOf = (settings: { readonly schedule?: string }, file = definition) =>
  heartbeatTasks({ definition: file, settings: { timezone: "Asia/Tokyo", ...settings } });

test("a wake message holds context reconstruction, what to do on waking and the tasks that are due", () => {
  expect(
    wakeMessage({ definition, tasks: tasksOf({}), now: NOW, message: "2 new mails" }),
  ).toBe(`[heartbeat] It is 2026-11-21 18:00 (Asia/Tokyo).

## Context Reconstruction (do this first)

- Read state/priorities.md

## On Wake

- Check for new messages
- Review pending tasks

## Routine Tasks due now

- Daily summary

## What the check before this wake found

2 new mails`);
});

test("a schedule without tasks asks to look around", () => {
  const tasks = heartbeatTasks({ settings: { timezone: "Asia/Tokyo", schedule: "30m" } });
  expect(wakeMessage({ tasks, now: NOW })).toBe(
    "[heartbeat] It is 2026-11-21 18:00 (Asia/Tokyo).\n\nLook whether there is something for you to do, and do it.",
  );
});

test("complaint: an empty heartbeat file: it has no task and makes no call, even if the settings have a schedule", () => {
  for (const text of ["", "# Heartbeat\n\n## On Wake\n", "<!-- later -->\n"]) {
    expect(tasksOf({ schedule: "1m" }, parseHeartbeat(text).definition)).toEqual([]);
  }
});

test("the interval of heartbeat.md goes before the settings' schedule, and tasks of one name stay apart", () => {
  const { definition: heartbeat } = parseHeartbeat(
    "@every: 2h\n\n## Routine Tasks\n\n- Every hour: a\n- Every day at 9: a\n",
  );
  expect(tasksOf({ schedule: "30m" }, heartbeat).map(({ name, times }) => [name, times[0]])).toEqual([
    ["On Wake", { type: "interval", milliseconds: 7_200_000 }],
    ["a", { type: "interval", milliseconds: 3_600_000 }],
    ["a (2)", { type: "cron", expression: "0 9 * * *" }],
  ]);
  expect(tasksOf({ schedule: "30m" }, parseHeartbeat("## On Wake\n\n- x\n").definition)[0]?.times).toEqual([
    { type: "interval", milliseconds: 1_800_000 },
  ]);
});

test.each([
  ["HEARTBEAT_OK", true],
  ["**HEARTBEAT_OK**", true],
  ["HEARTBEAT_OK. Nothing new.", true],
  ["All is quiet.\n\nHEARTBEAT_OK", true],
  ["NO_REPLY", true],
  [`HEARTBEAT_OK ${"x".repeat(301)}`, false],
  ["I would say HEARTBEAT_OK, but the disk is full", false],
  ["NO_REPLY because of this", false],
  ["", false],
])("the reply %j is silent: %p", (text, silent) => {
  expect(isSilent(text)).toBe(silent);
});
