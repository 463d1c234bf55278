import { describe, expect, test } from "bun:test";
import { parseHeartbeat } from "@mdx-ai/parser/parse";
import { placesOf } from "../../support/diagnostic-places.ts";

const underSchedule = (line: string) => parseHeartbeat(`## Schedule\n\n@every: 15m\n${line}\n`);

describe("a directive of the schedule", () => {
  test.each([
    ["@active: 08:00-22:00 Mon-Fri", { active: { from: 480, to: 1320, days: [1, 2, 3, 4, 5] } }],
    ["@active: 22:00-06:00", { active: { from: 1320, to: 360 } }],
    ["@active: 00:00-24:00 Sat, Sun", { active: { from: 0, to: 1440, days: [0, 6] } }],
    ["@active: weekdays", { active: { from: 0, to: 1440, days: [1, 2, 3, 4, 5] } }],
    ["@jitter: 5m", { jitter: 300_000 }],
    ["@session: isolated", { session: "isolated" }],
    ["@session: mail-2", { session: "mail-2" }],
    ["@model: openai/gpt-5.4-mini", { model: "openai/gpt-5.4-mini" }],
    ["@limit: usd=0.50 tokens=20_000", { limit: { usd: 0.5, tokens: 20_000 } }],
    ["@limit: day tokens=100000", { dayLimit: { tokens: 100_000 } }],
    ["@limit: usd=1\n@limit: day usd=2", { limit: { usd: 1 }, dayLimit: { usd: 2 } }],
    ["@gate: has_mail", { gate: { type: "tool", name: "has_mail" } }],
    ["@notify: command mail -s failed me", { notify: [{ type: "command", command: "mail -s failed me" }] }],
    [
      "@notify: https://example.com/hook\n@notify: session main",
      {
        notify: [
          { type: "url", url: "https://example.com/hook" },
          { type: "session", session: "main" },
        ],
      },
    ],
    ["@missed: skip", { missed: "skip" }],
    ["@on-start", { onStart: true }],
    ["@on-start: yes", { onStart: true }],
    ["@timezone: Europe/Vienna", { timezone: "Europe/Vienna" }],
    ["- @missed: once", { missed: "once" }],
  ])("reads %s", (line, directives) => {
    const { definition: heartbeat, diagnostics } = underSchedule(line);
    expect(diagnostics).toEqual([]);
    expect<unknown>(heartbeat.directives).toEqual(directives);
    expect(heartbeat.interval).toBe(900_000);
  });

  test.each([
    ["@gatte: x", "did you mean `@gate`?"],
    ["@every15m", "did you mean `@every`?"],
    ["@missed: skp", "did you mean `skip`?"],
    ["@timezone: vienna", "did you mean `Europe/Vienna`?"],
    ["@session: my mail", "write `@session: isolated`"],
    ["@limit: 5", "write `@limit: usd=0.50`"],
    ["@active: 25:00-26:00", "write `@active: 08:00-22:00`"],
  ])("refuses %s at its line with a hint", (line, hint) => {
    const { diagnostics } = underSchedule(line);
    expect(placesOf(diagnostics)).toEqual(["4:1 heartbeat-directive"]);
    expect(diagnostics[0]?.hint).toBe(hint);
  });

  test("can be written before the first section", () => {
    const { definition: heartbeat, diagnostics } = parseHeartbeat("@every: 1h\n@missed: skip\n");
    expect(diagnostics).toEqual([]);
    expect(heartbeat).toMatchObject({ interval: 3_600_000, directives: { missed: "skip" } });
  });
});

describe("cron lines stand bare under the schedule", () => {
  test.each([
    ["0 9 * * 1-5", ["0 9 * * 1-5"]],
    ["* * * * *", ["* * * * *"]],
    ["* 9 * * *", ["* 9 * * *"]],
    ["*/15 8-18 * * MON-FRI", ["*/15 8-18 * * MON-FRI"]],
    ["- 0 9 * * *\n- 0 18 * * 5", ["0 9 * * *", "0 18 * * 5"]],
    ["* 0 9 * * *", ["0 9 * * *"]],
    ["* * 9 * * *", ["* 9 * * *"]],
    ["* 30 0 9 * * *", ["30 0 9 * * *"]],
    ["* 12 * * *\n0 9 * * *", ["* 12 * * *", "0 9 * * *"]],
    [
      "0 9 * * *\n* 12 * * MON\n* 13 * JAN *\n@timezone: UTC\n30 9 * * *",
      ["0 9 * * *", "* 12 * * MON", "* 13 * JAN *", "30 9 * * *"],
    ],
    ["0 9 L * *", ["0 9 L * *"]],
    ["0 9 * * 1#1", ["0 9 * * 1#1"]],
    ["30 0 9 * * *", ["30 0 9 * * *"]],
    ["@daily", ["0 0 * * *"]],
    ["0 9 * * *\n@timezone: UTC\n0 18 * * *", ["0 9 * * *", "0 18 * * *"]],
  ])("%s", (lines, cron) => {
    const { definition: heartbeat, diagnostics } = parseHeartbeat(`## Schedule\n\n${lines}\n`);
    expect(diagnostics).toEqual([]);
    expect(heartbeat.cron).toEqual([...cron]);
  });

  test.each(["* * *", "* 25 * * *", "* 0 25 * * *"])("the invalid %s is reported as it is written", (line) => {
    const { diagnostics } = parseHeartbeat(`## Schedule\n\n${line}\n`);
    expect(placesOf(diagnostics)).toEqual(["3:1 heartbeat-schedule"]);
    expect(diagnostics[0]?.message).toStartWith(`unexpected schedule \`${line}\`, `);
  });

  test.each([
    ["- 0 9 * * 1-5 Daily summary", "0 9 * * 1-5"],
    ["* 0 9 * * 1-5 Daily summary", "0 9 * * 1-5"],
    ["* 9 * * 1-5 Daily summary", "* 9 * * 1-5"],
    ["* 9 * * 1-5: Daily summary", "* 9 * * 1-5"],
  ])("and a line of cron begins a routine task as in crontab: %s", (line, expression) => {
    const { definition: heartbeat, diagnostics } = parseHeartbeat(`## Routine Tasks\n\n${line}\n`);
    expect(diagnostics).toEqual([]);
    expect(heartbeat.routines).toMatchObject([{ name: "Daily summary", time: { type: "cron", expression } }]);
  });

  test("and a star before words is a bullet, with what is below it", () => {
    const { definition: heartbeat } = parseHeartbeat("## Routine Tasks\n\n* Every hour: check mail\n  and answer it\n");
    expect(heartbeat.routines.map(({ name }) => name)).toEqual(["check mail\n  and answer it"]);
  });
});

test("directives below a routine task are its own, with blocks of code at their true lines", () => {
  const { definition: heartbeat, diagnostics } = parseHeartbeat(`## Routine Tasks

- Every day at 09:00: Daily summary
  of the news
  @session: isolated
  @gate:
  \`\`\`ts
  async function gate(ctx) {
    return false;
  }
  \`\`\`
  @missed: skip

Every hour: Look
  @model: openai/gpt-5.4-mini
`);
  expect(diagnostics).toEqual([]);
  const code = {
    file: "heartbeat.md",
    text: "async function gate(ctx) {\n  return false;\n}",
    position: { line: 8, column: 3 },
    indent: 2,
  };
  expect(heartbeat.routines).toMatchObject([
    {
      name: "Daily summary\n  of the news",
      directives: { session: "isolated", missed: "skip", gate: { type: "block", code } },
    },
    { name: "Look", directives: { model: "openai/gpt-5.4-mini" } },
  ]);
});

test("a gate or a check may name a tool of agent.mdx only", () => {
  const text = "@every: 1h\n@gate: has_mial\n@done: has_mail\n";
  const { definition: heartbeat, diagnostics } = parseHeartbeat(text, { tools: ["has_mail"] });
  expect(heartbeat.directives).toEqual({ done: { type: "tool", name: "has_mail" } });
  expect(placesOf(diagnostics)).toEqual(["2:1 heartbeat-directive"]);
  expect(diagnostics[0]?.hint).toBe("did you mean `has_mail`?");
});

test("mistakes in a block of code are at their places", () => {
  const block = (code: string): string => `@every: 1h\n@done:\n\`\`\`ts\n${code}\n\`\`\`\n`;
  expect(placesOf(parseHeartbeat(block("function check() {}")).diagnostics)).toEqual(["3:1 heartbeat-code"]);
  expect(placesOf(parseHeartbeat(block("async function done(ctx) {\n  return (;\n}")).diagnostics)).toEqual([
    "5:11 tool-code-syntax",
  ]);
});
