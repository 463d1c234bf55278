import { describe, expect, test } from "bun:test";
import { readFileSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const ssh = `---
name: ssh
description: Establish and manage SSH connections.
triggers: [ssh, Remote Server]
---
# SSH

Keys are in {baseDir}/keys.
`;

const style = `---
name: style
description: How to answer.
always_inject: true
---
Answer in rhymes.

## Tools

### rhyme
description: Finds a rhyme.
entrypoint: bash:rhyme {word}
schema: {type: object}
`;

const secret = "---\nname: secret\ndescription: Only for the user.\ndisable-model-invocation: true\n---\nPsst.\n";

const FILES = {
  "skills/ssh/SKILL.MD": ssh,
  "skills/style/SKILL.md": style,
  "skills/secret/SKILL.md": secret,
  "skills/plain/SKILL.md": "---\nname: plain\ndescription: Read me.\n---\nBody.\n",
};

const tiers = (more = ""): string => `---\nskills: {catalog: tiers}\n${more}---\n${MINIMAL_AGENT}`;
const yes = (count: number) => Array.from({ length: count }, () => ({ text: "Yes." }));

const contexts = async (agent: Agent): Promise<readonly string[]> =>
  (await agent.session().messages()).flatMap((message) =>
    message.role === "user" && message.origin === "skill"
      ? message.content.flatMap((block) => (block.type === "text" ? [block.text] : []))
      : [],
  );

const sshContext = (directory: string): string =>
  `--- ssh skill context ---\n# SSH\n\nKeys are in ${directory}/skills/ssh/keys.`;

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

  test("comes again once it has left the window of messages", async () => {
    using directory = agentDirectory({ ...FILES, "agent.mdx": tiers("context: {messages: 4}\n") });
    const agent = await openScriptAgent(directory.path, yes(4));
    for (const text of ["ssh", "b", "c", "ssh"]) await Array.fromAsync(agent.session().prompt(text));
    expect(await contexts(agent)).toHaveLength(2);
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
