import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { McpConnectionOptions, McpProgress, McpQuestion } from "@mdx-ai/mcp";
import type { Session } from "@mdx-ai/runtime";
import { GREETING_AGENT } from "../../support/agent-files.ts";
import { eventually } from "../../support/eventually.ts";
import { ASKING_AGENT, ASKING_REPLIES, DENYING_AGENT } from "../../support/limited-agent.ts";
import { type McpAgent, mcpAgent } from "../../support/mcp-agent.ts";
import { mcpBench, textOf } from "../../support/mcp-bench.ts";
import { bodyOf, type Json, sentEvents, TOKEN } from "../../support/served-agent.ts";

/** Our own client, connected to a served agent. */
const clientOf = ({ server }: McpAgent, options: Partial<McpConnectionOptions> = {}) =>
  mcpBench({ transport: "http", url: server.url, headers: { Authorization: `Bearer ${TOKEN}` } }, options);

const WRITE = { calls: [{ id: "c1", name: "bash", arguments: { command: "touch made.txt" } }] };

const sessionOf = (result: { readonly structuredContent?: Json }): string => result.structuredContent.session;

test("offers the agent's tools, whose arguments it checks, and calls them without a model", async () => {
  await using agent = await mcpAgent({ files: { "agent.mdx": GREETING_AGENT } });
  await using bench = clientOf(agent);
  expect(textOf(await bench.call("greet", { name: "Ada", times: 2 }))).toBe("Hello Ada, Hello Ada");
  expect(bench.connection.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["prompt", "greet", "bash"]));
  const wrong = await bench.call("greet", { times: 2 });
  expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringContaining("name")]);
  expect((await bench.call("greet", { name: "nobody" })).isError).toBe(true);
});

test("a call that the user would have to allow is an error", async () => {
  await using agent = await mcpAgent();
  await using bench = clientOf(agent);
  const result = await bench.call("bash", { command: "touch made.txt" });
  expect(result.isError).toBe(true);
  expect(existsSync(join(agent.directory, "made.txt"))).toBe(false);
});

test("the tool prompt runs a prompt with progress, and continues its session, which is a resource", async () => {
  const replies = [
    { calls: [{ id: "c1", name: "greet", arguments: { name: "Ada" } }] },
    { deltas: ["Greeted ", "her."] },
    { text: "Again." },
  ];
  await using agent = await mcpAgent({ files: { "agent.mdx": GREETING_AGENT }, replies });
  await using bench = clientOf(agent);
  const progress: McpProgress[] = [];
  const options = { signal: new AbortController().signal, onProgress: (step: McpProgress) => progress.push(step) };
  const first = await bench.connection.call("prompt", { text: "Greet Ada." }, options);
  expect(textOf(first)).toContain("Greeted her.");
  expect(progress.map(({ message }) => message)).toEqual([expect.stringContaining("greet"), "Greeted her."]);
  const session = sessionOf(first);
  const second = await bench.call("prompt", { text: "Again?", session });
  expect([textOf(second), sessionOf(second)]).toEqual([expect.stringContaining("Again."), session]);

  expect((await bench.connection.resources()).map(({ uri }) => uri)).toContain(`session://${session}`);
  const [content] = await bench.connection.readResource(`session://${session}`);
  expect(content?.type === "text" && content.text).toContain("Greet Ada.");
  expect(bench.connection.readResource("session://unknown")).rejects.toThrow("not found");
  for (const [args, text] of [
    [{ text: " " }, "needs a text"],
    [{ text: "a", session: "../a" }, "session"],
  ] as const) {
    const refused = await bench.call("prompt", args);
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining(text)]);
  }
});

test.each([
  ["yes", true],
  ["no", false],
])("a question is asked through the client: %s", async (answer, isMade) => {
  await using agent = await mcpAgent({ replies: [WRITE, { text: "Done." }] });
  const questions: McpQuestion[] = [];
  await using bench = clientOf(agent, {
    onQuestion: async (question) => {
      questions.push(question);
      return { action: "accept", content: { answer } };
    },
  });
  const result = await bench.call("prompt", { text: "Write." });
  expect(textOf(result)).toContain("Done.");
  expect(existsSync(join(agent.directory, "made.txt"))).toBe(isMade);
  expect(questions).toMatchObject([{ type: "form", message: expect.stringContaining("made.txt") }]);
});

test.each([
  ["yes", false, "Done."],
  ["no", true, "tokens"],
] as const)("a limit that asks is asked through the client: %s", async (answer, isError, text) => {
  await using agent = await mcpAgent({ files: ASKING_AGENT, replies: ASKING_REPLIES });
  const questions: McpQuestion[] = [];
  await using bench = clientOf(agent, {
    onQuestion: async (question) => {
      questions.push(question);
      return { action: "accept", content: { answer } };
    },
  });
  const result = await bench.call("prompt", { text: "Go." });
  expect([result.isError ?? false, textOf(result)]).toEqual([isError, expect.stringContaining(text)]);
  expect(questions).toMatchObject([{ type: "form", message: expect.stringContaining("100") }]);
});

test("a prompt that a hook denies is an error with the reason", async () => {
  await using agent = await mcpAgent({ files: DENYING_AGENT, replies: [{ text: "never" }] });
  await using bench = clientOf(agent);
  const result = await bench.call("prompt", { text: "Go." });
  expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining("closed on Sundays")]);
});

/** Sends one request of the newest revision. */
async function ask(
  { server }: McpAgent,
  method: string,
  headers: Readonly<Record<string, string>> = {},
  params: Readonly<Record<string, unknown>> = {},
): Promise<Response> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return fetch(server.url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${TOKEN}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": REVISION,
      "mcp-method": method,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
}

const REVISION = "2026-07-28";

test("skills are listed with digests", async () => {
  const skill = "---\nname: tea\ndescription: Makes tea\n---\n\nBoil water.\n";
  await using agent = await mcpAgent({ files: { "skills/tea/SKILL.md": skill } });
  const { result } = await bodyOf(await ask(agent, "skills/list"));
  expect(JSON.stringify(result.skills)).toContain(new Bun.CryptoHasher("sha256").update(skill).digest("hex"));
  expect(result.skills).toMatchObject([{ frontmatter: { name: "tea" } }]);
});

test.each([
  ["without a token", { authorization: "" }, 401],
  ["with a wrong token", { authorization: "Bearer wrong" }, 401],
  ["for another host", { host: "evil.example" }, 421],
  ["from a page elsewhere", { origin: "https://evil.example" }, 403],
])("a request %s gets nothing", async (_how, headers, status) => {
  await using agent = await mcpAgent();
  expect((await ask(agent, "tools/list")).status).toBe(200);
  const refused = await ask(agent, "tools/list", headers);
  expect([refused.status, await refused.text()]).toEqual([status, expect.not.stringContaining("prompt")]);
});

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
