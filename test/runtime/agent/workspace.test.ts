import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "@mdx-ai/runtime";
import { MINIMAL_AGENT, writeFiles } from "../../support/agent-files.ts";
import type { Reply } from "../../support/replies.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const writing = (name: string): readonly Reply[] => [
  { calls: [{ id: name, name: "write_file", arguments: { path: name, content: "x" } }] },
  { text: "Done." },
];

async function run(agent: Agent): Promise<void> {
  for await (const _event of agent.session().prompt("go")) {
    // Its effects are looked at.
  }
}

test("the mode of an open agent is read and changed, and counts from the next call", async () => {
  using folder = temporaryDirectory();
  writeFiles(folder.path, { "agent/agent.mdx": MINIMAL_AGENT, "work/README.md": "" });
  const workspace = join(folder.path, "work");
  const replies = ["a", "b", "c"].flatMap(writing);
  const agent = await openScriptAgent(join(folder.path, "agent"), replies, { workspace, cwd: workspace });
  try {
    expect(agent.mode).toBe("edits");
    await run(agent);
    agent.setMode("plan");
    expect(agent.mode).toBe("plan");
    await run(agent);
    agent.setMode("all");
    await run(agent);
    expect(["a", "b", "c"].map((name) => existsSync(join(workspace, name)))).toEqual([true, false, true]);
  } finally {
    await agent.close();
  }
});

test("AGENTS.md is read again after a session is cleared; a workspace that is the agent directory is none", async () => {
  using folder = temporaryDirectory();
  writeFiles(folder.path, {
    "agent/agent.mdx": MINIMAL_AGENT,
    "agent/AGENTS.md": "own rules",
    "work/AGENTS.md": "before",
  });
  const [directory, workspace] = [join(folder.path, "agent"), join(folder.path, "work")];
  const agent = await openScriptAgent(directory, [{ text: "Hi." }], { workspace, cwd: workspace });
  try {
    await run(agent);
    const before = (await agent.session().info()).context.tokens;
    writeFiles(workspace, { "AGENTS.md": "long ".repeat(1000) });
    expect((await agent.session().info()).context.tokens).toBe(before);
    await agent.session().clear();
    expect((await agent.session().info()).context.tokens).toBeGreaterThan(before + 500);
  } finally {
    await agent.close();
  }
  const alone = await openScriptAgent(directory, [], { workspace: directory });
  try {
    expect(await alone.systemPrompt()).not.toContain("own rules");
  } finally {
    await alone.close();
  }
});
