import { expect, test } from "bun:test";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type Agent, openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { agentDirectory } from "../../support/agent-directory.ts";
import { type AnthropicReply, answerEvents, failureReply, textReply } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../../support/anthropic-server.ts";
import { words } from "../../support/conversation.ts";
import { eventOrderProblem } from "../../support/event-order.ts";
import { overloaded, scriptReference } from "../../support/replies.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const agentWith = (yaml: string): string => `---\n${yaml}\n---\n# Agent: Minimal\n\n## Purpose\n\nBe tested.\n`;

const FILES = {
  "agent.mdx": agentWith("context: { window: 8000, compactAt: 0.5 }"),
  "long.txt": words(1500),
  "skills/tea/SKILL.md": "---\nname: tea\ndescription: Makes tea\n---\n\nBoil water in {baseDir}/pot.\n",
};

async function open(directory: string, server: AnthropicServer): Promise<Agent> {
  return openAgent({
    directory: await readAgentDirectory(directory),
    model: await openModel("claude-test", { environment: server.environment }),
    cwd: directory,
    toolHostCommand: toolHostCommand(),
    environment: {},
  });
}

/** An answer to a request that the provider counted. */
const counted = (input: number, text: string): AnthropicReply => ({
  events: answerEvents([{ text: [text] }], { usage: { input_tokens: input, output_tokens: 5 } }),
});

/** A call of `read_file` in an answer to a request that the provider counted. */
const reading = (input: number, id: string, path: string): AnthropicReply => ({
  events: answerEvents([{ id, name: "read_file", json: [JSON.stringify({ path })] }], {
    usage: { input_tokens: input, output_tokens: 5 },
  }),
});

const compactions = (events: readonly AgentEvent[]) => events.filter(({ type }) => type === "context_compacted");

/** The messages of a request as JSON, without the points up to which a provider may cache. */
function sentMessages(server: AnthropicServer, request: number): string {
  const { messages } = JSON.parse(server.requests.at(request)?.text ?? "");
  return JSON.stringify(messages).replaceAll(',"cache_control":{"type":"ephemeral"}', "");
}

test("a prompt that would outgrow the window continues with a summary, its input and the skills that it read", async () => {
  using directory = agentDirectory(FILES);
  using server = anthropicServer(
    reading(1000, "s", "skills/tea/SKILL.md"),
    reading(1200, "a", "long.txt"),
    reading(2900, "b", "long.txt"),
    textReply("Tea is being made."),
    counted(2500, "Done."),
  );
  const agent = await open(directory.path, server);
  const events = await Array.fromAsync(agent.session().prompt("Make tea, please."));
  expect(compactions(events)).toMatchObject([
    { type: "context_compacted", before: expect.any(Number), after: expect.any(Number), measured: "provider" },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "done", cost: { calls: 5 } });
  expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual(Array.from({ length: 5 }, () => undefined));
  expect(server.requests[3]?.body).not.toHaveProperty("tools");
  const sent = sentMessages(server, 4);
  expect(sent).toContain("Tea is being made.");
  expect(sent.split("Make tea, please.")).toHaveLength(2);
  expect(sent.split(`Boil water in ${directory.path}/skills/tea/pot.`)).toHaveLength(2);
  expect(await agent.session().messages()).toHaveLength(8);
  expect(await Bun.file(join(directory.path, "sessions/main/history.json")).text()).not.toContain("Tea is being made.");
  await agent.close();
});

test("after a summary each request begins, byte for byte, with the one before: across turns, prompts and a restart", async () => {
  using directory = agentDirectory(FILES);
  using server = anthropicServer();
  server.add(
    reading(1000, "a", "long.txt"),
    reading(3000, "b", "long.txt"),
    textReply("They read."),
    counted(2000, "ok"),
  );
  for (let process = 0; process < 2; process++) {
    const agent = await open(directory.path, server);
    for (let prompt = 0; prompt < 2; prompt++) {
      const events = await Array.fromAsync(agent.session().prompt(`Prompt ${process}${prompt}`));
      expect(compactions(events)).toHaveLength(process + prompt === 0 ? 1 : 0);
      server.add(reading(2100, `c${process}${prompt}`, "agent.mdx"), counted(2200, "ok"));
    }
    await agent.close();
  }
  expect(server.requests.every(({ refusal }) => refusal === undefined)).toBe(true);
  for (let request = 4; request < server.requests.length; request++) {
    const before = sentMessages(server, request - 1);
    expect(sentMessages(server, request).startsWith(before.slice(0, -2))).toBe(true);
  }
});

test("a request that the provider finds too long is sent again with a summary instead of its older part", async () => {
  using directory = agentDirectory({ ...FILES, "agent.mdx": agentWith("context: { window: 100000 }") });
  const tooLong = failureReply(400, "invalid_request_error", { message: "prompt is too long: 9 tokens > 8 maximum" });
  using server = anthropicServer(
    counted(3000, words(400)),
    counted(3000, words(400)),
    tooLong,
    textReply("They talked."),
    counted(900, "Shorter."),
  );
  const agent = await open(directory.path, server);
  await Array.fromAsync(agent.session().prompt(words(400)));
  await Array.fromAsync(agent.session().prompt(words(400)));
  const events = await Array.fromAsync(agent.session().prompt("And now?"));
  expect(compactions(events)).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ outcome: "done" });
  const sent = sentMessages(server, 4);
  expect(sent).toContain("They talked.");
  expect(sent).toContain("And now?");
  const roles = (await agent.session().messages()).map(({ role }) => role);
  expect(roles).toEqual(["user", "assistant", "user", "assistant", "user", "assistant"]);
  await agent.close();
});

test("a window smaller than any known model's is kept, too", async () => {
  using directory = agentDirectory({ ...FILES, "agent.mdx": agentWith("context: { window: 3000, compactAt: 0.5 }") });
  using server = anthropicServer(counted(2000, words(1000)), textReply("Told so far."), counted(900, "Done."));
  const agent = await open(directory.path, server);
  expect(compactions(await Array.fromAsync(agent.session().prompt("Tell.")))).toEqual([]);
  const events = await Array.fromAsync(agent.session().prompt("Go on."));
  expect(compactions(events)).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ outcome: "done" });
  await agent.close();
});

test("a model that counts nothing is kept within the window by an estimate", async () => {
  using directory = agentDirectory(FILES);
  const read = (id: string) => ({ calls: [{ id, name: "read_file", arguments: { path: "long.txt" } }] });
  const replies = [read("a"), read("b"), read("c"), { text: "Read so far." }, { text: "Done." }];
  const agent = await openScriptAgent(directory.path, replies);
  const events = await Array.fromAsync(agent.session().prompt("Read."));
  expect(compactions(events)).toMatchObject([{ measured: "estimate" }]);
  expect(events.at(-1)).toMatchObject({ outcome: "done" });
  await agent.close();
});

test("a summary that fails for a moment is asked for again, with an event", async () => {
  using directory = agentDirectory(FILES);
  const read = (id: string) => ({ calls: [{ id, name: "read_file", arguments: { path: "long.txt" } }] });
  const replies = [read("a"), read("b"), read("c"), overloaded, { text: "Read so far." }, { text: "Done." }];
  const agent = await openScriptAgent(directory.path, replies, { retries: [0] });
  const events = await Array.fromAsync(agent.session().prompt("Read."));
  const incidents = events.filter(({ type }) => type === "model_retry" || type === "context_compacted");
  expect(incidents).toMatchObject([{ type: "model_retry", reason: "overloaded" }, { type: "context_compacted" }]);
  expect(eventOrderProblem(events)).toBeUndefined();
  expect(events.at(-1)).toMatchObject({ outcome: "done" });
  await agent.close();
});

test("with a window of messages only the last of them are sent, from a message of the user on, and all are stored", async () => {
  using directory = agentDirectory({ ...FILES, "agent.mdx": agentWith("context: { messages: 4 }") });
  using server = anthropicServer();
  const agent = await open(directory.path, server);
  for (const name of ["one", "two", "three"]) {
    server.add(counted(100, `${name}!`));
    await Array.fromAsync(agent.session().prompt(name));
  }
  server.add(
    reading(100, "a", "long.txt"),
    reading(100, "b", "long.txt"),
    reading(100, "c", "long.txt"),
    counted(100, "!"),
  );
  await Array.fromAsync(agent.session().prompt("four"));
  const first = server.requests.map((_request, place) => JSON.parse(server.requests[place]?.text ?? "").messages[0]);
  expect(first.map(({ content }) => content[0].text)).toEqual(["one", "one", "two", "three", "four", "four", "four"]);
  expect(server.requests.every(({ refusal }) => refusal === undefined)).toBe(true);
  expect(await agent.session().messages()).toHaveLength(14);
  await agent.close();
});

test("the user can have the history summarised, and the next prompt continues from there", async () => {
  using directory = agentDirectory(FILES);
  using server = anthropicServer(counted(800, words(300)), counted(1400, words(300)), textReply("They talked."));
  const agent = await open(directory.path, server);
  await Array.fromAsync(agent.session().prompt(words(300)));
  await Array.fromAsync(agent.session().prompt("Go on."));
  const report = await agent.session().compact();
  expect(report?.after).toBeLessThan(report?.before ?? 0);
  await agent.close();
  const again = await open(directory.path, server);
  expect((await again.session().info()).context.tokens).toBeLessThan(1400);
  server.add(counted(700, "Yes."));
  await Array.fromAsync(again.session().prompt("Still there?"));
  expect(sentMessages(server, 3)).toContain("They talked.");
  expect(server.requests.every(({ refusal }) => refusal === undefined)).toBe(true);
  await again.close();
});

test("a model that the caller names writes the summary, and its window is the one that is measured against", async () => {
  using directory = agentDirectory({ "agent.mdx": agentWith("description: Talks") });
  using scripts = temporaryDirectory();
  const other = await openModel(scriptReference(scripts.path, [{ text: "They talked." }]), { environment: {} });
  const agent = await openScriptAgent(directory.path, [{ text: words(300) }, { text: words(300) }]);
  await Array.fromAsync(agent.session().prompt(words(300)));
  await Array.fromAsync(agent.session().prompt("Go on."));
  // The agent's own model has no reply left.
  expect(await agent.session().compact({ model: other })).toBeDefined();
  const sonnet = await openModel("anthropic/claude-sonnet-4-5", { environment: { ANTHROPIC_API_KEY: "unused" } });
  expect((await agent.session().info({ model: sonnet })).context.window).toBe(200_000);
  expect((await agent.session().info()).context.window).toBeUndefined();
  await agent.close();
});

test("a session in memory that was cleared makes its own summary", async () => {
  using directory = agentDirectory(FILES);
  const talk = [{ text: words(300) }, { text: words(300) }];
  const summary = (output: number) => ({ text: "They talked.", usage: { output } });
  const agent = await openScriptAgent(directory.path, [...talk, summary(5), ...talk, summary(7)], { ephemeral: true });
  const outputs = [];
  for (let round = 0; round < 2; round++) {
    await Array.fromAsync(agent.session().prompt(words(300)));
    await Array.fromAsync(agent.session().prompt("Go on."));
    await agent.session().compact();
    outputs.push((await agent.session().info()).session.usage.output);
    await agent.session().clear();
  }
  expect(outputs).toEqual([5, 7]);
  await agent.close();
});

test("a summary that fails by hand is counted like any answer, over a restart too, and can be asked for again", async () => {
  using directory = agentDirectory(FILES);
  using server = anthropicServer(
    counted(800, words(300)),
    counted(1400, words(300)),
    { events: answerEvents([{ text: [] }], { usage: { input_tokens: 900, output_tokens: 5 } }) },
    textReply("They talked."),
  );
  const agent = await open(directory.path, server);
  await Array.fromAsync(agent.session().prompt(words(300)));
  await Array.fromAsync(agent.session().prompt("Go on."));
  const { session: before } = await agent.session().info();
  const failing = agent.session().compact();
  expect(failing).rejects.toThrow("empty summary");
  await failing.catch(() => {});
  const { session, day } = await agent.session().info();
  expect(session).toMatchObject({ calls: before.calls + 1, usage: { input: before.usage.input + 900 } });
  expect(session).toEqual(day);
  await agent.close();
  const again = await open(directory.path, server);
  expect((await again.session().info()).session).toEqual(session);
  expect(await again.session().compact()).toBeDefined();
  expect(await again.session().compact()).toBeUndefined();
  expect(server.requests).toHaveLength(4);
  await again.close();
});
