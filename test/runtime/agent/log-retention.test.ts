import { expect, test } from "bun:test";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { readAgentDirectory } from "@mdx-ai/parser";
import type { AgentChanges, AgentOptions } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT, writeText } from "../../support/agent-files.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const OLD = "2020-01-01.log";
const withDays = (days: number): string => `---\nlogs: { days: ${days} }\n---\n${MINIMAL_AGENT}`;

/** Works off one prompt beside an old log; gives whether that is still there. */
async function keepsOld(agentMdx: string, options: Partial<AgentOptions> = {}): Promise<boolean> {
  using directory = agentDirectory({ "agent.mdx": agentMdx });
  const path = join(directory.path, "logs", OLD);
  writeText(path, "old\n");
  utimesSync(path, 1_577_836_800, 1_577_836_800);
  const agent = await openScriptAgent(directory.path, [{ text: "one" }], options);
  const atStart = readdirSync(join(directory.path, "logs"));
  await Array.fromAsync(agent.session().prompt("Hi"));
  await agent.close();
  expect(atStart).toStrictEqual([OLD]);
  const logs = readdirSync(join(directory.path, "logs"));
  if (!options.ephemeral) expect(logs).toContain("main.jsonl");
  return logs.includes(OLD);
}

test("with logs.days, logs that are older are removed after the first prompt was sent, not when the agent opens", async () => {
  expect(await keepsOld(withDays(30))).toBe(false);
});

test.each<[string, string, Partial<AgentOptions>]>([
  ["without logs.days", MINIMAL_AGENT, {}],
  ["before so many days are over", withDays(100_000), {}],
  ["by an ephemeral agent", withDays(30), { ephemeral: true }],
])("no log is removed %s", async (_name, agentMdx, options) => {
  expect(await keepsOld(agentMdx, options)).toBe(true);
});

test("logs.days counts from the next prompt on when the agent's settings change", async () => {
  using directory = agentDirectory();
  const path = join(directory.path, "logs", OLD);
  writeText(path, "old\n");
  utimesSync(path, 1_577_836_800, 1_577_836_800);
  let changes: AgentChanges | undefined;
  const options = { refresh: async () => changes };
  const agent = await openScriptAgent(directory.path, [{ text: "one" }, { text: "two" }], options);
  await Array.fromAsync(agent.session().prompt("Hi"));
  writeText(join(directory.path, "agent.mdx"), withDays(30));
  changes = { directory: await readAgentDirectory(directory.path), model: agent.model };
  await Array.fromAsync(agent.session().prompt("Hi again"));
  await agent.close();
  expect(readdirSync(join(directory.path, "logs"))).not.toContain(OLD);
});

test("the log of a session that was idle for long continues, and loses nothing", async () => {
  using directory = agentDirectory({ "agent.mdx": withDays(30) });
  const first = await openScriptAgent(directory.path, [{ text: "one" }]);
  await Array.fromAsync(first.session().prompt("before"));
  await first.close();
  const path = join(directory.path, "logs/main.jsonl");
  utimesSync(path, 1_577_836_800, 1_577_836_800);
  const second = await openScriptAgent(directory.path, [{ text: "two" }]);
  await Array.fromAsync(second.session().prompt("after"));
  await second.close();
  const text = await Bun.file(path).text();
  for (const said of ["before", "after"]) expect(text).toContain(`"input":"${said}"`);
});
