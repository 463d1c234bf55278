import { expect, test } from "bun:test";
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type Agent, AgentClosedError, openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { type AgentFiles, agentDirectory } from "../../support/agent-directory.ts";
import { writeText } from "../../support/agent-files.ts";
import { textReply, toolReply } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../../support/anthropic-server.ts";
import { requireProgram } from "../../support/require-program.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

async function open(directory: string, server: AnthropicServer): Promise<Agent> {
  return openAgent({
    directory: await readAgentDirectory(directory),
    model: await openModel("claude-test", { environment: server.environment }),
    cwd: directory,
    toolHostCommand: toolHostCommand(),
    environment: process.env,
  });
}

/** The system prompts of all requests. */
const systems = ({ requests }: AnthropicServer): readonly string[] =>
  requests.map(({ text }) => {
    const { system } = JSON.parse(text);
    return typeof system === "string" ? system : system.map((block: { text: string }) => block.text).join("");
  });

test("what is remembered is at the end of the system prompt in every session, after a restart, too, until it is forgotten", async () => {
  using directory = agentDirectory();
  using server = anthropicServer(...["a", "b", "c", "d"].map((text) => textReply(text)));
  const first = await open(directory.path, server);
  await Array.fromAsync(first.session().prompt("before"));
  const { id } = await first.memory.remember("Is called Ada");
  await first.memory.remember("Likes\ncats");
  await Array.fromAsync(first.session().prompt("here"));
  await first.close();
  const second = await open(directory.path, server);
  await Array.fromAsync(second.session("other").prompt("elsewhere"));
  expect(await second.memory.forget(id)).toMatchObject({ content: "Is called Ada" });
  expect((await second.memory.memories()).map(({ content }) => content)).toStrictEqual(["Likes\ncats"]);
  await Array.fromAsync(second.session().prompt("again"));
  await second.close();
  const [before = "", ...others] = systems(server);
  expect(before).not.toContain("memory");
  const both = `${before}\n\n## Long-term memory\n\n- Is called Ada\n- Likes\n  cats`;
  expect(others).toStrictEqual([both, both, `${before}\n\n## Long-term memory\n\n- Likes\n  cats`]);
});

test("a prompt waits for what the user had remembered or forgotten just before it", async () => {
  using directory = agentDirectory();
  using server = anthropicServer(textReply("one"), textReply("two"));
  const agent = await open(directory.path, server);
  const remembering = agent.memory.remember("Is called Ada");
  const noting = agent.memory.addNote("use tabs");
  await Array.fromAsync(agent.session().prompt("first"));
  const { id } = await remembering;
  const forgetting = agent.memory.forget(id);
  expect(await agent.memory.memories()).toStrictEqual([]);
  await Array.fromAsync(agent.session().prompt("second"));
  await Promise.all([noting, forgetting]);
  await agent.close();
  const [first = "", second = ""] = systems(server);
  expect(first).toContain("Is called Ada");
  expect(first).toContain("* use tabs");
  expect(second).not.toContain("Is called Ada");
});

test("AGENT.md comes after the identity; what is added to it while a prompt runs is sent with the next one", async () => {
  using directory = agentDirectory({ "AGENT.md": "# House rules\n" });
  using server = anthropicServer(
    toolReply({ id: "a", name: "bash", input: { command: ":" } }),
    textReply("one"),
    textReply("two"),
  );
  const agent = await open(directory.path, server);
  for await (const { type } of agent.session().prompt("first")) {
    if (type === "tool_execution_start") appendFileSync(join(directory.path, "AGENT.md"), "* from outside\n");
  }
  const { line } = await agent.memory.addNote("use tabs");
  await Array.fromAsync(agent.session().prompt("second"));
  await agent.close();
  expect(line).toBe("* use tabs");
  const [first = "", second, third = ""] = systems(server);
  expect(first).toContain("Be tested.\n\n## AGENT.md\n\n# House rules\n\n## Tools\n");
  expect(second).toBe(first);
  expect(third).toBe(first.replace("# House rules", "# House rules\n* from outside\n* use tabs"));
});

test("nothing is remembered but by the user's own word", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "I will remember that you are Ada." }]);
  await Array.fromAsync(agent.session().prompt("Remember that I am Ada. /remember I am Ada"));
  expect(await agent.memory.memories()).toStrictEqual([]);
  await agent.close();
  expect(readdirSync(join(directory.path, "state"))).not.toContain("memory.json");
  expect(existsSync(join(directory.path, "AGENT.md"))).toBe(false);
});

test("what is remembered is no part of a session", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "one" }, { text: "two" }]);
  await agent.memory.remember("the moon is made of cheese");
  await Array.fromAsync(agent.session().prompt("Hi"));
  await agent.session().clear();
  await Array.fromAsync(agent.session().prompt("Hi"));
  expect(await agent.memory.memories()).toHaveLength(1);
  await agent.close();
  const folder = join(directory.path, "sessions/main");
  const texts = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.jsonl?$/.test(name));
  expect(texts.length).toBeGreaterThan(3);
  for (const name of texts) expect(readFileSync(join(folder, name), "utf8")).not.toContain("cheese");
});

test("what is asked to be remembered is on disk when the agent has closed; a closed one remembers nothing", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, []);
  const remembering = agent.memory.remember("in time");
  await agent.close();
  expect(readFileSync(join(directory.path, "state/memory.json"), "utf8")).toContain("in time");
  expect((await remembering).content).toBe("in time");
  for (const late of [
    agent.memory.remember("late"),
    agent.memory.memories(),
    agent.memory.forget("1"),
    agent.memory.addNote("late"),
  ]) {
    await expect(late).rejects.toThrow(AgentClosedError);
  }
});

test.each<[string, AgentFiles, string[]]>([
  ["what is new", { "AGENT.md": "new", "state/memory.json": memoryFile("new") }, ["AGENT.md", "long-term memory"]],
  ["nothing where nothing is", {}, []],
])("a session's journal names the parts of the agent: %s", async (_name, files, expected) => {
  using directory = agentDirectory(files);
  const agent = await openScriptAgent(directory.path, [{ text: "one" }]);
  await Array.fromAsync(agent.session().prompt("Hi"));
  await agent.close();
  const lines = readFileSync(join(directory.path, "sessions/main/journal.jsonl"), "utf8").split("\n");
  const { result } = JSON.parse(lines.find((line) => line.includes('"agent:1"')) ?? "{}");
  const parts = Object.keys(result);
  expect(parts).toContain('section "Purpose"');
  expect(parts.filter((part) => /^AGENT\.md$|^long-term memory$/.test(part))).toStrictEqual(expected);
});

function memoryFile(content: string): string {
  return JSON.stringify([{ id: "1", timestamp: "2026-04-29T09:12:00.000Z", content }]);
}

test.skipIf(requireProgram("bwrap"))(
  "memories and AGENT.md that are damaged cost a warning each, once, and no prompt",
  async () => {
    using directory = agentDirectory({ "state/memory.json": "{" });
    writeText(join(directory.path, "AGENT.md/file"), "a folder in its place");
    const warnings: string[] = [];
    const onWarning = (message: string): void => void warnings.push(message);
    const agent = await openScriptAgent(directory.path, [{ text: "one" }, { text: "two" }], { onWarning });
    for (const text of ["a", "b"]) await Array.fromAsync(agent.session().prompt(text));
    expect(await agent.session().messages()).toHaveLength(4);
    await agent.close();
    expect(warnings.toSorted()).toStrictEqual([
      expect.stringContaining("the model does not receive AGENT.md: "),
      expect.stringContaining("the model does not receive state/memory.json: "),
    ]);
  },
);
