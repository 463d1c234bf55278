import { describe, expect, test } from "bun:test";
import { readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../../support/agent-directory.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { contexts, FILES, sshContext, tiers, yes } from "../../support/skill-contexts.ts";

describe("a skill whose trigger a message contains", () => {
  test("comes again once it has left the window of messages", async () => {
    using directory = agentDirectory({ ...FILES, "agent.mdx": tiers("context: {messages: 4}\n") });
    const agent = await openScriptAgent(directory.path, yes(4));
    for (const text of ["ssh", "b", "c", "ssh"]) await Array.fromAsync(agent.session().prompt(text));
    expect(await contexts(agent)).toHaveLength(2);
    await agent.close();
  });

  test("is kept word for word when older messages are summarised", async () => {
    using directory = agentDirectory(FILES);
    const agent = await openScriptAgent(directory.path, [...yes(3), { text: "A summary." }, ...yes(1)]);
    await Array.fromAsync(agent.session().prompt("ssh, please"));
    for (const text of ["b", "c"]) await Array.fromAsync(agent.session().prompt(`${text} ${"long ".repeat(20_000)}`));
    expect(await agent.session().compact()).toBeDefined();
    await Array.fromAsync(agent.session().prompt("ssh again"));
    const journal = readFileSync(join(directory.path, "sessions/main/journal.jsonl"), "utf8");
    const summary = journal.split("\n").find((line) => line.includes("A summary.") && line.includes('"kept"'));
    expect(summary).toContain("--- ssh skill context ---\\n# SSH");
    expect(await contexts(agent)).toHaveLength(1);
    await agent.close();
  });

  test("is the same after a crash right behind the message", async () => {
    using directory = agentDirectory(FILES);
    const path = join(directory.path, "sessions/main/journal.jsonl");
    let agent = await openScriptAgent(directory.path, yes(1));
    await Array.fromAsync(agent.session().prompt("ssh"));
    const before = await agent.session().messages();
    await agent.close();
    const lines = readFileSync(path, "utf8").split("\n");
    const kept = lines.findIndex((line) => line.includes("skill context"));
    expect(kept).toBeGreaterThan(0);
    truncateSync(path, Buffer.byteLength(`${lines.slice(0, kept + 1).join("\n")}\n`));
    agent = await openScriptAgent(directory.path, yes(1));
    await Array.fromAsync(agent.session().resume());
    expect((await agent.session().messages()).slice(0, 2)).toStrictEqual(before.slice(0, 2));
    await agent.close();
  });

  test("comes with what is said to a running prompt", async () => {
    using directory = agentDirectory(FILES);
    const agent = await openScriptAgent(directory.path, [
      { text: "Wait.", calls: [{ id: "1", name: "bash", arguments: { command: "true" } }] },
      ...yes(1),
    ]);
    for await (const event of agent.session().prompt("Begin")) {
      if (event.type === "tool_execution_start") expect(await agent.session().steer("now over ssh")).toBe(true);
    }
    expect(await contexts(agent)).toStrictEqual([sshContext(directory.path)]);
    await agent.close();
  });
});
