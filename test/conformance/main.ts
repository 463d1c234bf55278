// `npm run test:conformance`: what the official suite requires of a client and of a server of MCP, in both revisions of the protocol,
// asked of our program from outside. `-- auth` runs only the scenarios whose names hold a word.
import { mcpAgent } from "../support/mcp-agent.ts";
import { TOKEN } from "../support/served-agent.ts";
import { tokenProxy } from "../support/token-proxy.ts";
import { isSuccess, runClientScenario, runServerScenario, type ScenarioResult } from "./run-scenario.ts";
import { REVISIONS, requiredScenarios } from "./scenarios.ts";
import { CONFORMANCE_AGENT } from "./served-agent.ts";

/** Scenarios side by side. */
const LANES = 2;

const words = process.argv.slice(2);
const scenarios = REVISIONS.flatMap(requiredScenarios).filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);

await using agent = await mcpAgent({ files: { "agent.mdx": CONFORMANCE_AGENT } });
await using proxy = tokenProxy(agent.server.url, TOKEN);
const waiting = [...scenarios];
const results: ScenarioResult[] = [];
await Promise.all(Array.from({ length: LANES }, work));
const successes = results.filter(isSuccess).length;
console.log(`\n${successes} successes of ${scenarios.length} scenarios`);
process.exitCode = successes === scenarios.length && successes > 0 ? 0 : 1;

async function work(): Promise<void> {
  for (let scenario = waiting.shift(); scenario; scenario = waiting.shift()) {
    const isClient = scenario.side === "client";
    const result = await (isClient ? runClientScenario(scenario) : runServerScenario(scenario, proxy.url));
    results.push(result);
    console.log(line(result));
  }
}

function line(result: ScenarioResult): string {
  const { scenario, successes, problems } = result;
  const verdict = isSuccess(result) ? "SUCCESS" : "FAILURE";
  const row = `${verdict}  ${scenario.revision}  ${scenario.side}  ${scenario.name.padEnd(40)}${String(successes).padStart(3)} checks`;
  return [row, ...problems.map((problem) => `         ${problem}`)].join("\n");
}
