import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "@mdx-ai/runtime";
import { eventually } from "../../support/eventually.ts";
import { type McpAgent, mcpAgent } from "../../support/mcp-agent.ts";
import { textOf } from "../../support/mcp-bench.ts";
import { ask, clientOf, WRITE } from "../../support/mcp-server-bench.ts";
import { bodyOf, sentEvents, TOKEN } from "../../support/served-agent.ts";

test("without a way to ask, the answer says where the question is answered", async () => {
  await using agent = await mcpAgent({ replies: [WRITE] });
  const params = { name: "prompt", arguments: { text: "Write." } };
  const { result } = await bodyOf(await ask(agent, "tools/call", { "mcp-name": "prompt" }, params));
  const { question, session } = result.structuredContent;
  expect(result.content[0].text).toContain(`mdx-ai answer ${agent.directory} ${question} yes --session ${session}`);
});

/** A connection of an older revision. */
interface OlderConnection {
  send(message: object): Promise<Response>;
  /** What the server sends besides answers. */
  listen(): Promise<Response>;
  readonly headers: Readonly<Record<string, string>>;
}

async function olderConnection({ server }: McpAgent, capabilities: object = {}): Promise<OlderConnection> {
  const protocolVersion = "2025-11-25";
  let connection: Readonly<Record<string, string>> = {};
  const headers = (): Readonly<Record<string, string>> => ({
    authorization: `Bearer ${TOKEN}`,
    accept: "application/json, text/event-stream",
    ...connection,
  });
  const send = (message: object): Promise<Response> =>
    fetch(server.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers() },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  const params = { protocolVersion, clientInfo: { name: "test", version: "1" }, capabilities };
  const opened = await send({ id: 1, method: "initialize", params });
  await opened.text();
  connection = {
    "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": protocolVersion,
  };
  await send({ method: "notifications/initialized" });
  return { send, listen: () => fetch(server.url, { headers: headers() }), headers: headers() };
}

test("a client of an older revision has a connection, on which it is asked", async () => {
  await using agent = await mcpAgent({ replies: [WRITE, { text: "Done." }] });
  const { send, headers } = await olderConnection(agent, { elicitation: {} });
  const call = { name: "prompt", arguments: { text: "Write." } };
  const texts: string[] = [];
  for await (const { data } of sentEvents(await send({ id: 2, method: "tools/call", params: call }))) {
    if (data.method === "elicitation/create") {
      await send({ id: data.id, result: { action: "accept", content: { answer: "yes" } } });
    } else if (data.result !== undefined) texts.push(data.result.content[0].text);
  }
  expect(texts).toEqual(["Done."]);
  const unknown = { ...headers, "mcp-session-id": "unknown", "content-type": "application/json" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 3, method: "ping" });
  expect((await fetch(agent.server.url, { method: "POST", headers: unknown, body })).status).toBe(404);
});

/** The notices of a stream until a prompt of a session has ended, which changes it twice. */
async function noticesOf(stream: Response): Promise<readonly string[]> {
  const notices: string[] = [];
  for await (const { data } of sentEvents(stream)) {
    const { method = "", params } = data;
    if (!/changed|updated/.test(method)) continue;
    notices.push([method.replace("notifications/", ""), params?.uri].join(" ").trim());
    if (notices.filter((notice) => notice.includes("updated")).length === 2) return notices;
  }
  throw new Error("the stream ended");
}

const CHANGES = ["resources/list_changed", "resources/updated session://main", "resources/updated session://main"];

test("clients hear that tools and sessions have changed, in both revisions", async () => {
  await using agent = await mcpAgent({ replies: [{ text: "One." }, { text: "Two." }, { text: "Three." }] });
  const older = await olderConnection(agent);
  const heard = noticesOf(await older.listen());
  await (await older.send({ id: 2, method: "resources/subscribe", params: { uri: "session://main" } })).text();
  const notifications = {
    toolsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ["session://main"],
  };
  const listened = noticesOf(await ask(agent, "subscriptions/listen", {}, { notifications }));
  await using bench = clientOf(agent);
  await bench.call("prompt", { text: "Begin." });
  await bench.call("prompt", { text: "Go.", session: "main" });
  expect(await heard).toEqual(CHANGES);
  expect(await listened).toEqual(CHANGES);
});

test("prompts that an earlier process left unfinished are continued", async () => {
  const slow = { deltas: ["a", "b"], deltaDelay: 600_000 };
  await using first = await mcpAgent({ replies: [slow] });
  await first.open.agent.session("main").submit("Go.");
  await eventually(() => first.open.agent.session("main").activePrompts[0]?.state === "running");
  await first.stop();
  await using second = await mcpAgent({ directory: first.directory, home: first.home, replies: [{ text: "Done." }] });
  const session = second.open.agent.session("main");
  await eventually(() => session.activePrompts.length === 0);
  expect((await session.messages()).map(({ role }) => role)).toEqual(["user", "assistant"]);
});

test("several calls of one message ask one after another", async () => {
  const calls = ["one", "two", "three"].map((name) => ({
    ...{ id: name, name: "bash" },
    arguments: { command: `touch ${name}` },
  }));
  await using agent = await mcpAgent({ replies: [{ calls }, { text: "Done." }] });
  const asked: string[] = [];
  await using bench = clientOf(agent, {
    onQuestion: async ({ message }) => {
      asked.push(message);
      return { action: "accept", content: { answer: message.includes("two") ? "no" : "yes" } };
    },
  });
  expect(textOf(await bench.call("prompt", { text: "Touch." }))).toContain("Done.");
  expect(asked).toHaveLength(3);
  const made = ["one", "two", "three"].map((name) => existsSync(join(agent.directory, name)));
  expect(made).toEqual([true, false, true]);
});

/** The session of the only prompt. */
function onlySession({ open, directory }: McpAgent): Session {
  const [id = ""] = readdirSync(join(directory, "sessions")).filter((name) => /^[\d-]+/.test(name));
  return open.agent.session(id);
}

test("an answer from elsewhere counts before that of the client, which then gets the next question and the answer", async () => {
  const calls = ["one", "two"].map((name) => ({ id: name, name: "bash", arguments: { command: `touch ${name}` } }));
  await using agent = await mcpAgent({ replies: [{ calls }, { text: "Done." }] });
  const asked: string[] = [];
  await using bench = clientOf(agent, {
    onQuestion: async ({ message }) => {
      asked.push(message);
      const session = onlySession(agent);
      const [question] = session.openQuestions;
      await session.answer(question?.id ?? "", "yes");
      const isOver = (): boolean => session.activePrompts.length === 0;
      await eventually(() => isOver() || session.openQuestions.some(({ id }) => id !== question?.id));
      return { action: "decline" };
    },
  });
  expect(textOf(await bench.call("prompt", { text: "Write." }))).toContain("Done.");
  expect(asked).toMatchObject([expect.stringContaining("touch one"), expect.stringContaining("touch two")]);
  expect(["one", "two"].map((name) => existsSync(join(agent.directory, name)))).toEqual([true, true]);
});

test("a client that cancels its call cancels the prompt", async () => {
  const slow = { deltas: ["x".repeat(300), "b"], deltaDelay: 600_000 };
  await using agent = await mcpAgent({ replies: [slow, { text: "Next." }] });
  await using bench = clientOf(agent);
  const leaving = new AbortController();
  const options = { signal: leaving.signal, onProgress: () => leaving.abort() };
  await expect(bench.connection.call("prompt", { text: "Write." }, options)).rejects.toThrow();
  const [{ uri = "" } = {}] = await bench.connection.resources();
  const session = uri.replace("session://", "");
  expect(textOf(await bench.call("prompt", { text: "Next?", session }))).toContain("Next.");
});
