import { describe, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../../support/agent-directory.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { contexts, FILES, sshContext, style, tiers, yes } from "../../support/skill-contexts.ts";

describe("the system prompt", () => {
  test("lists skills as tiers, with instructions, and long-term memory last", async () => {
    using directory = agentDirectory({ ...FILES, "agent.mdx": tiers() });
    const agent = await openScriptAgent(directory.path, []);
    await agent.memory.remember("likes tea");
    await agent.memory.remember("is called Ada");
    const system = await agent.systemPrompt();
    expect(system).toContain(
      "\n\nYou have access to the following skills:\n\n- **plain**: Read me.\n" +
        "- **ssh**: Establish and manage SSH connections.  triggers: ssh, Remote Server\n- **style**: How to answer.\n\n" +
        "--- style instructions ---\nAnswer in rhymes.\n\n",
    );
    expect(system).toEndWith("\n\n--- Long-term memory ---\n- likes tea\n- is called Ada");
    expect(system).not.toMatch(/## Tools\n\n### rhyme|Psst|secret|Keys are in|tool_tags|version/);
    await agent.close();
  });

  test("lists skills as XML: a skill with tools names them, and no model learns of one that is its user's alone", async () => {
    using directory = agentDirectory(FILES);
    const agent = await openScriptAgent(directory.path, []);
    const system = await agent.systemPrompt();
    expect(system).toContain("    <name>ssh</name>\n");
    expect(system).toContain("    <location>skills/ssh/SKILL.MD</location>\n");
    expect(system).toContain("    <description>How to answer.</description>\n    <tools>rhyme</tools>\n");
    expect(system).toContain("\n\n--- style instructions ---\nAnswer in rhymes.\n\n");
    expect(system).not.toContain("secret");
    await agent.close();
  });
});

test("reads no file of a skill again for a prompt", async () => {
  using directory = agentDirectory({ ...FILES, "agent.mdx": tiers() });
  const agent = await openScriptAgent(directory.path, yes(1));
  const before = await agent.systemPrompt();
  rmSync(join(directory.path, "skills"), { recursive: true });
  expect(await agent.systemPrompt()).toBe(before);
  await Array.fromAsync(agent.session().prompt("ssh"));
  expect(await contexts(agent)).toStrictEqual([sshContext(directory.path)]);
  await agent.close();
});

describe("a skill whose trigger a message contains", () => {
  test("comes with that message, in any case of letters, once while it is sent, and the system prompt stays", async () => {
    using directory = agentDirectory(FILES);
    const agent = await openScriptAgent(directory.path, yes(4));
    const say = (text: string) => Array.fromAsync(agent.session().prompt(text));
    await say("Hello");
    expect(await contexts(agent)).toStrictEqual([]);
    await say("Connect to the REMOTE server");
    await say("And use SSH again");
    expect(await contexts(agent)).toStrictEqual([sshContext(directory.path)]);
    const messages = await agent.session().messages();
    const at = messages.findIndex((message) => message.role === "user" && message.origin === "skill");
    expect(messages[at - 1]).toMatchObject({ role: "user", content: [{ text: "Connect to the REMOTE server" }] });
    expect(readFileSync(join(directory.path, "sessions/main/history.json"), "utf8")).not.toContain("skill context");
    await agent.close();
  });

  test("stays away from a session that has not enabled it", async () => {
    using directory = agentDirectory(FILES);
    const agent = await openScriptAgent(directory.path, yes(2));
    await agent.session().disableSkill("ssh");
    await Array.fromAsync(agent.session().prompt("ssh"));
    expect(await contexts(agent)).toStrictEqual([]);
    await agent.session().enableSkill("ssh");
    await Array.fromAsync(agent.session().prompt("ssh"));
    expect(await contexts(agent)).toHaveLength(1);
    await agent.close();
  });
});

describe("/skill:name", () => {
  test("does not send a text again that the model has", async () => {
    using directory = agentDirectory(FILES);
    const agent = await openScriptAgent(directory.path, yes(2));
    await Array.fromAsync(agent.session().prompt("/skill:ssh one"));
    await Array.fromAsync(agent.session().prompt("/skill:ssh two"));
    const inputs = (await agent.session().messages()).flatMap((message) =>
      message.role === "user" ? [message.content] : [],
    );
    expect(inputs).toStrictEqual([
      [{ type: "text", text: `# SSH\n\nKeys are in ${directory.path}/skills/ssh/keys.\n\none` }],
      [{ type: "text", text: '(Follow the skill "ssh", which is above.)\n\ntwo' }],
    ]);
    await agent.close();
  });

  test("sends the prose of a skill with tools only if its author says so, and says what it has instead", async () => {
    using directory = agentDirectory({
      ...FILES,
      "skills/shell/SKILL.md": style
        .replace("always_inject: true", "license: MIT")
        .replace("name: style", "name: shell"),
    });
    const agent = await openScriptAgent(directory.path, yes(2));
    const failure = await Array.fromAsync(agent.session().prompt("/skill:shell")).catch((error: unknown) => error);
    expect(String(failure)).toContain('the skill "shell" has no text for the model; its tools are rhyme');
    await Array.fromAsync(agent.session().prompt("/skill:shell rhyme tea"));
    expect(await agent.session().messages()).toMatchObject([{ content: [{ text: "rhyme tea" }] }, {}]);
    await agent.close();
  });
});
