import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../../support/agent-directory.ts";
import { scriptReference } from "../../support/replies.ts";
import { runCommandLine } from "../../support/run-command-line.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { usageLine } from "../../support/usage-line.ts";

function record(directory: string, lines: readonly object[]): void {
  mkdirSync(join(directory, "state"), { recursive: true });
  const text = lines.map((line) => `${JSON.stringify({ v: 1, ...line })}\n`).join("");
  appendFileSync(join(directory, "state/usage.jsonl"), text);
}

/** Noon of a day of November 2026 in the local time zone. */
const noon = (day: number): string => new Date(2026, 10, day, 12).toISOString();

async function usage(directory: string, ...words: readonly string[]) {
  using home = temporaryDirectory();
  return await runCommandLine(["usage", directory, ...words], { home: home.path });
}

const LINES = [
  usageLine({ at: noon(20), session: "gone", usd: 2 }),
  usageLine({ at: noon(21), usd: 0.5, task: "Daily summary" }),
  usageLine({ at: noon(21), usd: 0.25, agent: "researcher", model: "openai/gpt" }),
  { at: noon(21), session: "main", key: "k", raised: "day.usd", by: 1, id: "1.0.1" },
  usageLine({ at: noon(22), session: "other", total: 20 }),
];

test("days, sessions, tasks, models and agents are added up as JSON", async () => {
  using directory = agentDirectory({});
  record(directory.path, LINES);
  appendFileSync(join(directory.path, "state/usage.jsonl"), '{"torn');
  const { stdout, exitCode } = await usage(directory.path, "--json");
  const { total, ...parts } = JSON.parse(stdout);
  expect(exitCode).toBe(0);
  expect(total).toEqual({ calls: 4, tokens: 50, input: 28, cached: 4, output: 12, usd: 3.25, unpriced: 0 });
  const shares = Object.entries(parts).map(([name, list]) => [
    name,
    Array.isArray(list) ? list.map(({ name: one, usd }) => [one, usd]) : list,
  ]);
  expect(Object.fromEntries(shares)).toEqual({
    days: [
      ["2026-11-22", 0.5],
      ["2026-11-21", 0.75],
      ["2026-11-20", 2],
    ],
    sessions: [
      ["gone", 2],
      ["main", 0.75],
      ["other", 0.5],
    ],
    tasks: [["Daily summary", 0.5]],
    models: [
      ["anthropic/claude", 3],
      ["openai/gpt", 0.25],
    ],
    agents: [["researcher", 0.25]],
  });
});

test("--since leaves out what is older, and tables are for people", async () => {
  using directory = agentDirectory({});
  record(directory.path, LINES);
  const { stdout } = await usage(directory.path, "--since", noon(21));
  expect(stdout).toBe(
    [
      "Total: $1.25, 40 tokens, 3 answers",
      "",
      "Days",
      "  2026-11-22  $0.50  20 tokens  1 answer",
      "  2026-11-21  $0.75  20 tokens  2 answers",
      "",
      "Sessions",
      "  main   $0.75  20 tokens  2 answers",
      "  other  $0.50  20 tokens  1 answer",
      "",
      "Tasks of the heartbeat",
      "  Daily summary  $0.50  10 tokens  1 answer",
      "",
      "Models",
      "  anthropic/claude  $1.00  30 tokens  2 answers",
      "  openai/gpt        $0.25  10 tokens  1 answer",
      "",
      "Agents that worked for it",
      "  researcher  $0.25  10 tokens  1 answer",
      "",
    ].join("\n"),
  );
  expect(await usage(directory.path, "--since", "soon")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--since needs a time such as 24h"),
  });
});

test("an agent that has spent nothing says so, and what it spends is counted with its task", async () => {
  using directory = agentDirectory({ "heartbeat.md": "## Routine Tasks\n\n- Every hour: Look around\n" });
  expect(await usage(directory.path)).toMatchObject({ exitCode: 0, stdout: "Nothing was spent.\n" });
  using home = temporaryDirectory();
  const model = scriptReference(home.path, [{ text: "looked", usage: { input: 7, output: 3 } }]);
  const run = ["heartbeat", directory.path, "run", "Look around", "-m", model, "--trust"];
  expect(await runCommandLine(run, { home: home.path })).toMatchObject({ exitCode: 0 });
  const { tasks, total } = JSON.parse((await usage(directory.path, "--json")).stdout);
  expect([tasks[0].name, tasks[0].tokens, total.tokens]).toEqual(["Look around", 10, 10]);
});
