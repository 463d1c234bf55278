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

test("check shows them in words, with what idle wakes cost and a line for a schedule that never runs again", async () => {
  const { stdout } = await check();
  expect(stdout).toMatch(/ {2}On Wake, every 15m\n {4}\w{3} \d+ \w{3} \d{4} at \d\d:\d\d/);
  expect(stdout).toContain("  New year, at 0 0 1 1 *\n    never again: no time is left (UTC)\n");
  expect(stdout).toMatch(/If nothing is to be done: about 9[67](\.\d)? wakes a day, at least \$0\.\d+ with anthropic/);
});
