import { expect, test } from "bun:test";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import type { Agent } from "@mdx-ai/runtime";
import { MINIMAL_AGENT, writeFiles } from "../../support/agent-files.ts";
import { noProcessesOf, processesOf } from "../../support/remaining-processes.ts";
import type { Reply } from "../../support/replies.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const call = (name: string, args: Record<string, string | boolean>): Reply => ({
  calls: [{ id: name, name, arguments: args }],
});

const allText = (events: readonly AgentEvent[]): string => JSON.stringify(events);

test("a background command lives as long as its session is open, also while the agent is read again, and says when it is gone", async () => {
  using folder = temporaryDirectory();
  writeFiles(folder.path, { "agent/agent.mdx": MINIMAL_AGENT, "work/README.md": "" });
  const [directory, workspace] = [join(folder.path, "agent"), join(folder.path, "work")];
  const open = (replies: readonly Reply[], more = {}): Promise<Agent> =>
    openScriptAgent(directory, replies, { workspace, cwd: workspace, permissions: { allowsAll: true }, ...more });
  const serve = call("bash", { command: "echo up; sleep 300", background: true });
  const agent = await open([serve, { text: "It runs." }, { text: "Hi." }, serve, { text: "Again." }], {
    refresh: async () => ({ onWarning: () => {} }),
  });
  const session = agent.session();
  await Array.fromAsync(session.prompt("start"));
  await Array.fromAsync(session.prompt("read again"));
  const [command] = session.backgroundCommands;
  expect(command).toMatchObject({ command: "echo up; sleep 300", isRunning: true });
  expect(processesOf(workspace).some((one) => one.command.includes("sleep 300"))).toBe(true);
  await session.release();
  expect(session.backgroundCommands).toEqual([]);
  await noProcessesOf(workspace);
  await Array.fromAsync(session.prompt("start"));
  const [other] = session.backgroundCommands;
  await agent.close();
  await noProcessesOf(folder.path);

  const later = await open([call("bash_output", { id: other?.id ?? "" }), { text: "Gone." }]);
  const said = allText(await Array.fromAsync(later.session().prompt("how is it?")));
  expect(said).toContain("One of an earlier process ended with the process.");
  await later.close();
});

test("a command has 120 seconds in a workspace, and 30 without one", async () => {
  using folder = temporaryDirectory();
  writeFiles(folder.path, { "agent/agent.mdx": MINIMAL_AGENT, "work/README.md": "" });
  const directory = join(folder.path, "agent");
  for (const [workspace, seconds] of [
    [join(folder.path, "work"), 120],
    [undefined, 30],
  ] as const) {
    const agent = await openScriptAgent(directory, [], workspace === undefined ? {} : { workspace });
    const [bash] = agent.toolSchemas;
    expect(bash?.description).toContain(`killed after ${seconds} seconds`);
    if (workspace !== undefined) expect(await agent.shell.describe()).toMatchObject({ shell: { seconds } });
    await agent.close();
  }
});
