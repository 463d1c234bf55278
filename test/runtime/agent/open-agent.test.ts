import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentEvent, answerText } from "@mdx-ai/loop";
import { UnknownSkillError } from "@mdx-ai/runtime";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { answer, moduleText, run, toolResults } from "../../support/open-agent-bench.ts";
import { call } from "../../support/replies.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

test("an inline tool is really run and its result reaches the model and the transcript", async () => {
  using directory = agentDirectory({
    "agent.mdx": MINIMAL_AGENT + toolText("shout", "return params.text!.toUpperCase();"),
  });
  const agent = await openScriptAgent(directory.path, [
    { calls: [call("shout", { text: "hi" })] },
    { text: "It said HI" },
  ]);
  const events = await run(agent, "Shout hi");
  expect(toolResults(events)).toEqual(["HI"]);
  expect(answer(events)).toBe("It said HI");
  expect((await agent.session().messages()).map((message) => message.role)).toEqual([
    "user",
    "assistant",
    "toolResult",
    "assistant",
  ]);
  await agent.close();
});

test("the registry holds builtin, inline and module tools, in this order, and the model never sees code", async () => {
  using directory = agentDirectory({
    "agent.mdx": MINIMAL_AGENT + toolText("inline", "return 'secret code';"),
    "modules/one.ts": moduleText({
      tools: `[{ name: "from_module", description: "M", parameters: { type: "object" }, execute: async () => "module says hi" }]`,
    }),
  });
  const agent = await openScriptAgent(directory.path, [{ calls: [call("from_module")] }, { text: "ok" }]);
  expect(agent.tools.map((tool) => tool.name)).toEqual(["bash", "read_file", "write_file", "inline", "from_module"]);
  expect(await agent.systemPrompt()).not.toContain("secret code");
  expect(toolResults(await run(agent, "go"))).toEqual(["module says hi"]);
  await agent.close();
});

test("sessions, state and logs are made when missing, and a session is remembered after a restart", async () => {
  using directory = agentDirectory();
  const first = await openScriptAgent(directory.path, [{ text: "Hello" }]);
  await run(first, "Hi");
  await first.close();
  expect(readdirSync(directory.path).toSorted()).toEqual(["agent.mdx", "logs", "sessions", "state"]);
  expect(readdirSync(join(directory.path, "sessions"))).toEqual(["main"]);
  const logs = readdirSync(join(directory.path, "logs")).toSorted();
  expect(logs).toStrictEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d\.log$/), "main.jsonl"]);
  const log = readFileSync(join(directory.path, "logs", logs[0] ?? ""), "utf8");
  expect(log).toContain("user: Hi");
  expect(log).toContain("assistant: Hello");
  expect(log).toContain("prompt done");
  expect(JSON.parse(readFileSync(join(directory.path, "state/agent-state.json"), "utf8"))).toMatchObject({
    promptCount: 1,
  });

  const second = await openScriptAgent(directory.path, [{ text: "Again" }]);
  await run(second, "Hi again");
  expect((await second.session().messages()).map((message) => message.role)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
  await second.close();
  expect(JSON.parse(readFileSync(join(directory.path, "state/agent-state.json"), "utf8"))).toMatchObject({
    promptCount: 2,
  });
});

test("a named session is apart from the default one", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "one" }, { text: "two" }]);
  await run(agent, "in main");
  await run(agent, "in work", "work");
  expect(await agent.session().messages()).toHaveLength(2);
  expect(await agent.session("work").messages()).toHaveLength(2);
  expect(readdirSync(join(directory.path, "sessions")).toSorted()).toEqual(["main", "work"]);
  await agent.close();
});

test("an ephemeral agent writes no file", async () => {
  using directory = agentDirectory({ "heartbeat.md": "## Schedule\n\n@every: 15m\n" });
  const agent = await openScriptAgent(directory.path, [{ text: "one" }, { text: "two" }], { ephemeral: true });
  await run(agent, "Hi");
  await run(agent, "Hi");
  expect(await agent.session().messages()).toHaveLength(4);
  await agent.close();
  expect(readdirSync(directory.path).toSorted()).toEqual(["agent.mdx", "heartbeat.md"]);
});

test("prompts that come at the same time run one after the other", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [
    { text: "first", delay: 30 },
    { text: "second" },
    { text: "third" },
  ]);
  const order: string[] = [];
  await Promise.all(
    ["a", "b", "c"].map(async (text) => {
      for await (const event of agent.session().prompt(text)) order.push(`${text} ${event.type}`);
    }),
  );
  expect(order.map((entry) => entry.split(" ")[0]).join("")).toMatch(/^a+b+c+$/);
  const texts = (await agent.session().messages()).map((message) => answerText([message]));
  expect(texts).toEqual(["", "first", "", "second", "", "third"]);
  await agent.close();
});

test("an abort ends the prompt, keeps what had arrived, and the session continues", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [
    { deltas: ["par", "tial"], deltaDelay: 60_000 },
    { text: "later" },
  ]);
  const abort = new AbortController();
  const events: AgentEvent[] = [];
  for await (const event of agent.session().prompt("go", { signal: abort.signal })) {
    events.push(event);
    if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta") abort.abort();
  }
  expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "aborted" });
  expect(answer(events)).toBe("par");
  expect(answer(await run(agent, "again"))).toBe("later");
  await agent.close();
});

test("a reader who leaves does not end the prompt: it is finished, and the next one runs after it", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ deltas: ["a", "b"], deltaDelay: 20 }, { text: "next" }]);
  for await (const event of agent.session().prompt("go")) if (event.type === "message_update") break;
  expect(answer(await run(agent, "again"))).toBe("next");
  const texts = (await agent.session().messages()).map(({ content }) => content[0]);
  expect(texts).toMatchObject([{ text: "go" }, { text: "ab" }, { text: "again" }, { text: "next" }]);
  await agent.close();
});

test("the turn limit ends a prompt with an event", async () => {
  using directory = agentDirectory({ "agent.mdx": `---\nlimits:\n  turns: 3\n---\n${MINIMAL_AGENT}` });
  const replies = Array.from({ length: 5 }, () => ({ calls: [call("read_file", { path: "agent.mdx" })] }));
  const agent = await openScriptAgent(directory.path, replies);
  const events = await run(agent, "loop");
  expect(events.filter((event) => event.type === "turn_start")).toHaveLength(3);
  expect(events.slice(-2)).toMatchObject([
    { type: "limit_reached", limit: "turns", value: 3 },
    { type: "agent_end", outcome: "limit" },
  ]);
  await agent.close();
});

test("a model error is an event, not a throw, and the next prompt works", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [
    { error: { message: "the model is away", status: 400 } },
    { text: "back" },
  ]);
  const events = await run(agent, "go");
  expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "error" });
  expect(JSON.stringify(events)).toContain("the model is away");
  expect(answer(await run(agent, "again"))).toBe("back");
  await agent.close();
});

test("/skill:name puts the skill's body into the prompt, with {baseDir} replaced; read_file of it does so too", async () => {
  using directory = agentDirectory({
    "skills/pack/SKILL.md": "---\nname: pack\ndescription: Packs\n---\n\nUse {baseDir}/list.txt for it.\n",
  });
  const agent = await openScriptAgent(directory.path, [
    { text: "ok" },
    { calls: [call("read_file", { path: "skills/pack/SKILL.md" })] },
    { text: "ok" },
  ]);
  await run(agent, "/skill:pack three days");
  const [first] = await agent.session().messages();
  const text = JSON.stringify(first);
  expect(text).toContain(`Use ${join(directory.path, "skills/pack")}/list.txt for it.`);
  expect(text).toContain("three days");
  expect(toolResults(await run(agent, "read it")).join("")).toContain(
    `${join(directory.path, "skills/pack")}/list.txt`,
  );
  expect(run(agent, "/skill:nothing")).rejects.toThrow(UnknownSkillError);
  await agent.close();
});

test("clearing a session archives it and starts an empty conversation", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "one" }, { text: "two" }]);
  await run(agent, "Hi");
  await agent.session().clear();
  expect(await agent.session().messages()).toEqual([]);
  expect(readdirSync(join(directory.path, "sessions/main/archive"))).toHaveLength(1);
  await run(agent, "Hi");
  expect(await agent.session().messages()).toHaveLength(2);
  await agent.close();
});
