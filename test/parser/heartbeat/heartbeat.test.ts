import { describe, expect, test } from "bun:test";
import { parseHeartbeat } from "@mdx-ai/parser/parse";
import { placesOf } from "../../support/diagnostic-places.ts";

const specified = `## Schedule

@every: 15m

## On Wake

- Check for new messages
- Review pending tasks

## Routine Tasks

- Every morning at 09:00: Daily summary
- Every hour: Check system health

## Context Reconstruction

- Read state/priorities.md
- Read state/current-task.md
`;

for (const [name, text] of [
  ["as it is", specified],
  ["with CRLF", specified.replaceAll("\n", "\r\n")],
  ["with a byte-order mark", `\uFEFF${specified}`],
] as const) {
  test(`the specification's heartbeat is read, ${name}`, () => {
    const { definition: heartbeat, diagnostics } = parseHeartbeat(text);
    expect(diagnostics).toEqual([]);
    expect(heartbeat).toEqual({
      interval: 900_000,
      onWake: ["Check for new messages", "Review pending tasks"],
      routines: [
        { name: "Daily summary", time: { type: "cron", expression: "0 9 * * *" }, position: { line: 12, column: 3 } },
        {
          name: "Check system health",
          time: { type: "interval", milliseconds: 3_600_000 },
          position: { line: 13, column: 3 },
        },
      ],
      contextReconstruction: ["Read state/priorities.md", "Read state/current-task.md"],
    });
  });
}

describe("a schedule", () => {
  const rows: readonly [string, number][] = [
    ["@every: 15m", 900_000],
    ["@every 1h30m", 5_400_000],
    ["@every: 30s", 30_000],
    ["@every 2h", 7_200_000],
    ["2h", 7_200_000],
    ["- @every: 15m", 900_000],
    ["`@every: 15m`", 900_000],
    ["every 15 minutes", 900_000],
    ["every half an hour", 1_800_000],
    ["every other hour", 7_200_000],
    ["Every hour", 3_600_000],
    ["@every 1.5h", 5_400_000],
    ["@every: 1d", 86_400_000],
    ["@EVERY: 15M", 900_000],
  ];
  for (const [line, interval] of rows) {
    test(`reads ${line}`, () => {
      const { definition: heartbeat, diagnostics } = parseHeartbeat(`# Heartbeat\n\n## Schedule\n\n${line}\n`);
      expect(diagnostics).toEqual([]);
      expect(heartbeat.interval).toBe(interval);
    });
  }

  for (const line of [
    "@every: soon",
    "@every:",
    "@every: 0s",
    "@every: 500ms",
    "@every: 60d",
    "@every: -5m",
    "15",
    "Now and then",
    "@every: 9999999999999d",
  ]) {
    test(`refuses ${line} at its place`, () => {
      const { definition: heartbeat, diagnostics } = parseHeartbeat(`## Schedule\n\n${line}\n`);
      expect(heartbeat.interval).toBeUndefined();
      expect(placesOf(diagnostics)).toEqual(["3:1 heartbeat-schedule"]);
      expect(diagnostics[0]?.severity).toBe("error");
    });
  }

  const written: readonly [yaml: string, interval: number][] = [
    ["schedule: 30m", 1_800_000],
    ["schedule: every 2 hours", 7_200_000],
    ['schedule: "@every 1h30m"', 5_400_000],
  ];
  for (const [yaml, interval] of written) {
    test(`reads ${yaml} in the frontmatter`, () => {
      expect(parseHeartbeat(`---\r\n${yaml}\r\n---\r\n`)).toEqual({
        definition: { interval, onWake: [], routines: [], contextReconstruction: [] },
        models: [],
        diagnostics: [],
      });
    });
  }

  const wrong: readonly [yaml: string, places: readonly string[]][] = [
    ["schedule: 30", ["2:11 heartbeat-schedule"]],
    ['schedule: "0 9 * *"', ["2:11 heartbeat-schedule"]],
    ["shedule: 30m", ["2:1 setting-unknown"]],
    ["schedule: [", ["2:12 frontmatter-syntax"]],
    ["schedule: 30m\nname: x", ["3:1 setting-unknown"]],
  ];
  for (const [yaml, places] of wrong) {
    test(`refuses ${JSON.stringify(yaml)} in the frontmatter at its place`, () => {
      expect(placesOf(parseHeartbeat(`---\n${yaml}\n---\n\n## On Wake\n\n- x\n`).diagnostics)).toEqual([...places]);
    });
  }

  test("stands once, in the frontmatter or below", () => {
    const { definition: heartbeat, diagnostics } = parseHeartbeat(
      "---\nschedule: 30m\n---\n\n## Schedule\n\n@every: 15m\n",
    );
    expect(heartbeat.interval).toBe(1_800_000);
    expect(placesOf(diagnostics)).toEqual(["7:1 heartbeat-schedule"]);
  });

  test("stands once", () => {
    const { definition: heartbeat, diagnostics } = parseHeartbeat("## Schedule\n\n@every: 15m\n@every: 30m\n");
    expect(heartbeat.interval).toBe(900_000);
    expect(placesOf(diagnostics)).toEqual(["4:1 heartbeat-schedule"]);
  });

  test("is read before the first section too", () => {
    expect(parseHeartbeat("@every: 15m\n")).toEqual({
      definition: { interval: 900_000, onWake: [], routines: [], contextReconstruction: [] },
      models: [],
      diagnostics: [],
    });
  });
});

describe("mistakes", () => {
  const rows: readonly [string, string, readonly string[]][] = [
    ["an empty file", "", ["1:1 heartbeat-empty"]],
    ["blank lines", "\n \n", ["1:1 heartbeat-empty"]],
    ["headings alone", "# Heartbeat\n\n## On Wake\n", ["1:1 heartbeat-empty"]],
    ["an unknown section", "@every: 1h\n\n## On Wakeup\n\n- x\n", ["3:1 heartbeat-section"]],
    ["text before the sections", "Hello\n\n@every: 1h\n", ["1:1 heartbeat-section"]],
  ];
  for (const [name, text, places] of rows) {
    test(name, () => {
      const { diagnostics } = parseHeartbeat(text);
      expect(placesOf(diagnostics)).toEqual(places);
      expect(diagnostics.every(({ severity }) => severity === "warning")).toBe(true);
    });
  }

  test("several lines are told in order, and the others are read", () => {
    const { definition: heartbeat, diagnostics } = parseHeartbeat(
      "## Routine Tasks\n- Sometimes: a\n- Every hour: b\n- Never: c\n\n## Schedule\nx\n",
    );
    expect(heartbeat.routines.map((routine) => routine.name)).toEqual(["b"]);
    expect(placesOf(diagnostics)).toEqual(["2:3 heartbeat-routine", "4:3 heartbeat-routine", "7:1 heartbeat-schedule"]);
  });
});

test("a heartbeat is plain Markdown: braces, tags and comments are all right", () => {
  const { definition: heartbeat, diagnostics } = parseHeartbeat(
    "@every: 1h\n\n<!-- note -->\n\n## On Wake\n\n- look at {state} <5\n\nAnd think.\nTwice.\n",
  );
  expect(diagnostics).toEqual([]);
  expect(heartbeat.onWake).toEqual(["look at {state} <5", "And think.\nTwice."]);
});

test("routine tasks may be lines without bullets", () => {
  const { definition: heartbeat, diagnostics } = parseHeartbeat(
    "## Routine Tasks\n\nEvery hour: a\nEvery day at 9: b\n",
  );
  expect(diagnostics).toEqual([]);
  expect(heartbeat.routines.map(({ name, position }) => [name, position.line])).toEqual([
    ["a", 3],
    ["b", 4],
  ]);
});
