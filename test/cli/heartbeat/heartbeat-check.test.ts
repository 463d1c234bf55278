import { expect, test } from "bun:test";
import { agentDirectory } from "../../support/agent-directory.ts";
import { runCommandLine } from "../../support/run-command-line.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const AGENT =
  "---\nmodel: anthropic/claude-sonnet-5-5\ntimezone: UTC\n---\n# Agent: Test\n\n## Purpose\n\nBe tested.\n";
const HEARTBEAT = `@every: 15m

## Routine Tasks

- Every day at 09:00: Daily summary
- 0 0 1 1 *: New year
  @active: 08:00-22:00
`;

async function check(...options: readonly string[]) {
  using home = temporaryDirectory();
  using directory = agentDirectory({ "agent.mdx": AGENT, "heartbeat.md": HEARTBEAT });
  const environment = { ANTHROPIC_API_KEY: "sk-ant-test" };
  return await runCommandLine(["check", directory.path, ...options], { home: home.path, environment });
}

test("check lists the next five times of each task in ISO form", async () => {
  const { tasks, idle } = JSON.parse((await check("--json")).stdout);
  expect(tasks.map(({ name, next }: { name: string; next: string[] }) => [name, next.length])).toEqual([
    ["On Wake", 5],
    ["Daily summary", 5],
    ["New year", 0],
  ]);
  const next: readonly string[] = tasks[0].next;
  for (const time of next) expect(new Date(time).toISOString()).toBe(time);
  expect(Date.parse(next[4] ?? "") - Date.parse(next[0] ?? "")).toBe(3_600_000);
  expect(tasks[1].next[0]).toEndWith("T09:00:00.000Z");
  expect(idle).toMatchObject({ model: "anthropic/claude-sonnet-5-5" });
  expect(idle.usdPerDay).toBeGreaterThan(0);
});
