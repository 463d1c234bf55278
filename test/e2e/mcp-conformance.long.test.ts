import { expect, test } from "bun:test";
import { runClientScenario, runServerScenario } from "../conformance/run-scenario.ts";
import { REVISIONS, requiredScenarios } from "../conformance/scenarios.ts";
import { CONFORMANCE_AGENT } from "../conformance/served-agent.ts";
import { mcpAgent } from "../support/mcp-agent.ts";
import { TOKEN } from "../support/served-agent.ts";
import { tokenProxy } from "../support/token-proxy.ts";

const SHORT = [
  ["2025-11-25", "sse-retry"],
  ["2025-11-25", "auth/metadata-default"],
  ["2026-07-28", "http-custom-headers"],
  ["2026-07-28", "auth/scope-step-up"],
] as const;

/** Milliseconds that only a program that hangs needs: more than each limit of the driver and the suite. */
const DEADLINE = 120_000;

test.each(SHORT)(
  "the program conforms to MCP %s in the scenario %s",
  async (revision, name) => {
    const scenario = { side: "client", revision, name } as const;
    const result = await runClientScenario(scenario);
    expect(result).toEqual({ scenario, successes: expect.any(Number), problems: [] });
    expect(result.successes).toBeGreaterThan(2);
  },
  DEADLINE,
);

test.each([
  ["2025-11-25", "tools-call-image", 2],
  ["2025-11-25", "resources-subscribe", 1],
  ["2025-11-25", "resources-unsubscribe", 1],
  ["2026-07-28", "sep-2164-resource-not-found", 2],
] as const)(
  "a served agent conforms to MCP %s in the scenario %s",
  async (revision, name, least) => {
    await using agent = await mcpAgent({ files: { "agent.mdx": CONFORMANCE_AGENT } });
    await using proxy = tokenProxy(agent.server.url, TOKEN);
    const scenario = { side: "server", revision, name } as const;
    const result = await runServerScenario(scenario, proxy.url);
    expect(result).toEqual({ scenario, successes: expect.any(Number), problems: [] });
    expect(result.successes).toBeGreaterThanOrEqual(least);
  },
  DEADLINE,
);

test("what the suite requires is known", () => {
  const counts = REVISIONS.map((revision) => {
    const sides = requiredScenarios(revision).map(({ side }) => side);
    return [sides.filter((side) => side === "client").length, sides.filter((side) => side === "server").length];
  });
  expect(counts).toEqual([
    [18, 11],
    [32, 8],
  ]);
});
