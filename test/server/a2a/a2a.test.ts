import { expect, test } from "bun:test";
import { type Message, type Part, Role, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import { eventually } from "../../support/eventually.ts";
import { bodyOf, type ServedAgent, serveAgent, TOKEN } from "../../support/served-agent.ts";

const COMMAND = { text: "Let me.", calls: [{ id: "c1", name: "bash", arguments: { command: "touch made" } }] };

/** The protocol's own client, which finds the agent by its card. */
function clientOf({ server }: ServedAgent, path = "/api/agents/agent/", token = TOKEN): Promise<Client> {
  const authorized: typeof fetch = Object.assign(
    (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
      const headers = new Headers(init?.headers);
      headers.set("authorization", `Bearer ${token}`);
      return fetch(input, { ...init, headers });
    },
    { preconnect: fetch.preconnect },
  );
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl: authorized })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl: authorized }),
    }),
  );
  return factory.createFromUrl(`${server.url}${path}`);
}

const textPart = (value: string): Part => ({
  ...{ content: { $case: "text", value }, mediaType: "", filename: "", metadata: undefined },
});

const dataPart = (value: object): Part => ({
  ...{ content: { $case: "data", value }, mediaType: "application/json", filename: "", metadata: undefined },
});

const messageOf = (parts: readonly Part[], more: Partial<Message> = {}): Message => ({
  ...{ messageId: crypto.randomUUID(), contextId: "", taskId: "", role: Role.ROLE_USER, parts: [...parts] },
  ...{ metadata: undefined, extensions: [], referenceTaskIds: [], ...more },
});

const requestOf = (text: string | readonly Part[], more: Partial<Message> = {}, returnImmediately = false) => ({
  tenant: "",
  message: messageOf(typeof text === "string" ? [textPart(text)] : text, more),
  configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
  metadata: undefined,
});

async function send(client: Client, ...request: Parameters<typeof requestOf>): Promise<Task> {
  const result = await client.sendMessage(requestOf(...request));
  if (!("status" in result)) throw new Error("the result is no task");
  return result;
}

const textOf = (parts: readonly Part[] = []): string =>
  parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : [])).join("");

const answerOf = ({ artifacts }: Task): string => artifacts.map(({ parts }) => textOf(parts)).join("|");

const stateOf = ({ status }: Pick<Task, "status">): string => TaskState[status?.state ?? 0] ?? "";

/** Updates as short words: a state, or "+text" or "=text" of the answer. */
function shown({ payload }: StreamResponse): string {
  switch (payload?.$case) {
    case "task":
      return `task ${stateOf(payload.value)}`;
    case "statusUpdate":
      return stateOf(payload.value);
    case "artifactUpdate":
      return `${payload.value.append ? "+" : "="}${textOf(payload.value.artifact?.parts)}`;
    default:
      return "?";
  }
}

async function all(updates: AsyncIterable<StreamResponse>): Promise<readonly StreamResponse[]> {
  const list: StreamResponse[] = [];
  for await (const update of updates) list.push(update);
  return list;
}

const get = (client: Client, id: string, historyLength?: number): Promise<Task> =>
  client.getTask({ tenant: "", id, ...(historyLength !== undefined && { historyLength }) });

test("the card names the agent, its skills and its endpoint; the only agent has it at the server's root, too", async () => {
  const skill = "---\nname: baking\ndescription: Bakes bread.\n---\n\nBake.\n";
  await using agent = await serveAgent({
    files: {
      "agent.mdx": "---\ndescription: Helps.\n---\n\n# Agent: Helper\n\n## Purpose\n\nHelps a lot.\n",
      "skills/baking/SKILL.md": skill,
    },
  });
  await agent.opening;
  const client = await clientOf(agent);
  const card = await bodyOf(await agent.send("GET", "/.well-known/agent-card.json"));
  expect(card).toMatchObject({
    ...{ name: "Helper", description: "Helps.", version: "1.2.3", capabilities: { streaming: true } },
    supportedInterfaces: [
      { url: `${agent.server.url}/api/agents/agent/a2a`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    ],
    skills: [
      { id: "prompt", name: "Helper" },
      { id: "skill:baking", name: "baking", description: "Bakes bread." },
    ],
  });
  expect((await client.getAgentCard()).skills.map(({ id }) => id)).toEqual(["prompt", "skill:baking"]);
  const proxied = await agent.send("GET", ".well-known/agent-card.json", undefined, { "x-forwarded-proto": "https" });
  expect((await bodyOf(proxied)).supportedInterfaces[0].url).toStartWith("https://127.0.0.1:");
});

test("a message is a prompt, and a message of its context continues the session, also after a restart", async () => {
  await using agent = await serveAgent({ replies: [{ text: "Hello, Ann." }, { text: "You are Ann." }] });
  const client = await clientOf(agent, "/");
  const first = await send(client, "I am Ann");
  expect([stateOf(first), answerOf(first)]).toEqual(["TASK_STATE_COMPLETED", "Hello, Ann."]);
  expect(first.history.map(({ role, parts }) => [Role[role], textOf(parts)])).toEqual([
    ["ROLE_USER", "I am Ann"],
    ["ROLE_AGENT", "Hello, Ann."],
  ]);
  const second = await send(client, "Who am I?", { contextId: first.contextId });
  expect([second.contextId, answerOf(second)]).toEqual([first.contextId, "You are Ann."]);
  expect((await agent.json("GET", `sessions/${first.contextId}`)).prompts).toBe(2);
  await agent.server.stop();
  await using later = await serveAgent({
    directory: agent.directory,
    home: agent.home,
    replies: [{ text: "Yes." }, { text: "Still." }],
  });
  const again = await clientOf(later);
  expect(answerOf(await get(again, first.id))).toBe("Hello, Ann.");
  expect((await get(again, second.id, 1)).history.map(({ parts }) => textOf(parts))).toEqual(["You are Ann."]);
  const { tasks } = await again.listTasks({
    ...{ tenant: "", contextId: first.contextId, status: 0, pageToken: "", statusTimestampAfter: undefined },
  });
  expect(tasks.map(({ id }) => id)).toEqual([second.id, first.id]);
  const other = await send(again, "Is anyone there?");
  const page = (pageToken: string) =>
    again.listTasks({
      ...{ tenant: "", contextId: "", status: 0, pageSize: 2, pageToken, statusTimestampAfter: undefined },
    });
  const newest = await page("");
  expect([newest.totalSize, newest.tasks.map(({ id }) => id)]).toEqual([3, [other.id, second.id]]);
  expect((await page(newest.nextPageToken)).tasks.map(({ id }) => id)).toEqual([first.id]);
  expect(answerOf(await send(again, "And now?", { contextId: first.contextId }))).toBe("Still.");
});

test("a message sent again is the same task", async () => {
  await using agent = await serveAgent({ replies: [{ text: "one" }, { text: "two" }] });
  const client = await clientOf(agent);
  const { contextId } = await send(client, "begin");
  const more = { contextId, messageId: "message-1" };
  const first = await send(client, "count", more);
  const again = await send(client, "count", more);
  expect([again.id, answerOf(again)]).toEqual([first.id, "two"]);
  await expect(send(client, "another text", more)).rejects.toThrow(/message-1|another/);
});

test("a stream has the task, its states, and the answer as it is written", async () => {
  const read = { text: "I look.", calls: [{ id: "c1", name: "read_file", arguments: { path: "agent.mdx" } }] };
  await using agent = await serveAgent({ replies: [read, { deltas: ["It is ", "a test."] }] });
  const client = await clientOf(agent);
  const updates = await all(client.sendMessageStream(requestOf("What is it?")));
  expect(updates.map(shown)).toEqual([
    ...["task TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "=I look.", "=It is ", "+a test.", "TASK_STATE_COMPLETED"],
  ]);
});

test("a question is a state of the task; a message with a word or with data answers it", async () => {
  await using agent = await serveAgent({ replies: [COMMAND, { text: "made it" }, COMMAND, { text: "well" }] });
  const client = await clientOf(agent);
  const asked = await send(client, "make it");
  expect(stateOf(asked)).toBe("TASK_STATE_INPUT_REQUIRED");
  const { parts = [] } = asked.status?.message ?? {};
  expect(textOf(parts)).toContain("touch made");
  expect(parts.find(({ content }) => content?.$case === "data")?.content?.value).toMatchObject({
    ...{ question: "1.1.1", kind: "approval", words: expect.arrayContaining(["yes", "no"]) },
  });
  const of = { taskId: asked.id, contextId: asked.contextId };
  await expect(send(client, "perhaps", of)).rejects.toThrow(/takes one of yes, no/);
  const updates = await all(client.sendMessageStream(requestOf("yes", of)));
  expect(updates.map(shown)).toEqual([
    ...["task TASK_STATE_WORKING", "TASK_STATE_WORKING", "=made it", "TASK_STATE_COMPLETED"],
  ]);
  await expect(send(client, "more", of)).rejects.toThrow(/has ended/);
  const other = await send(client, "again", { contextId: asked.contextId });
  const denied = await send(client, [dataPart({ answer: "no" })], { taskId: other.id });
  expect([stateOf(denied), answerOf(denied)]).toEqual(["TASK_STATE_COMPLETED", "well"]);
});

test("a task is read, followed and cancelled while it runs; a client that left cancels nothing", async () => {
  const slow = { deltas: Array.from({ length: 4_000 }, () => "one "), deltaDelay: 20 };
  await using agent = await serveAgent({ replies: [slow, { text: "next" }] });
  const client = await clientOf(agent);
  const begun = await send(client, "count", {}, true);
  expect(stateOf(begun)).toBe("TASK_STATE_SUBMITTED");
  for await (const update of client.resubscribeTask({ tenant: "", id: begun.id }))
    if (shown(update).startsWith("=")) break;
  expect(stateOf(await get(client, begun.id))).toBe("TASK_STATE_WORKING");
  const queued = await send(client, "later", { contextId: begun.contextId }, true);
  expect(stateOf(await client.cancelTask({ tenant: "", id: queued.id, metadata: undefined }))).toBe(
    "TASK_STATE_CANCELED",
  );
  const cancelled = await client.cancelTask({ tenant: "", id: begun.id, metadata: undefined });
  expect(stateOf(cancelled)).toBe("TASK_STATE_CANCELED");
  expect(stateOf(await get(client, begun.id))).toBe("TASK_STATE_CANCELED");
  await expect(client.cancelTask({ tenant: "", id: begun.id, metadata: undefined })).rejects.toThrow(/does not run/);
});

test("more input for a running task steers it", async () => {
  const first = { ...COMMAND, calls: [{ id: "c1", name: "read_file", arguments: { path: "agent.mdx" } }], delay: 300 };
  await using agent = await serveAgent({ replies: [first, { text: "done" }] });
  const client = await clientOf(agent);
  const begun = await send(client, "work", {}, true);
  await eventually(async () => expect(stateOf(await get(client, begun.id))).toBe("TASK_STATE_WORKING"));
  const ended = await send(client, "and quickly", { taskId: begun.id });
  expect(stateOf(ended)).toBe("TASK_STATE_COMPLETED");
  expect(ended.history.map(({ parts }) => textOf(parts))).toContain("and quickly");
});

test("images, files of text and data reach the agent; other files do not", async () => {
  await using agent = await serveAgent({ replies: [{ text: "seen" }] });
  const client = await clientOf(agent);
  const raw = (value: string, mediaType: string, filename = "f"): Part => ({
    ...{ content: { $case: "raw", value: Buffer.from(value) }, mediaType, filename, metadata: undefined },
  });
  const parts = [textPart("See:"), raw("a,b", "text/csv", "t.csv"), raw("\x89PNG", "image/png"), dataPart({ n: 1 })];
  const task = await send(client, parts);
  const { messages } = await agent.json("GET", `sessions/${task.contextId}/messages`);
  expect(messages[0].content).toMatchObject([
    { type: "text", text: 'See:\n\nFile t.csv:\na,b\n\n{"n":1}' },
    { type: "image", mimeType: "image/png" },
  ]);
  await expect(send(client, [raw("x", "application/zip")])).rejects.toThrow(/application\/zip/);
});

test("a model that fails and a limit are failures of the task", async () => {
  const failing = { error: { message: "no such model", status: 404 } };
  await using agent = await serveAgent({
    files: { "agent.mdx": "---\nlimits:\n  turns: 1\n---\n\n# Agent: A\n\n## Purpose\n\nTests.\n" },
    replies: [failing, { calls: [{ id: "c", name: "read_file", arguments: { path: "agent.mdx" } }] }],
  });
  const client = await clientOf(agent);
  for (const problem of [/no such model/, /limit|turn/]) {
    const task = await send(client, "go");
    expect(stateOf(task)).toBe("TASK_STATE_FAILED");
    expect(textOf(task.status?.message?.parts)).toMatch(problem);
  }
});

test("what does not exist is an error and makes nothing", async () => {
  await using agent = await serveAgent({ replies: [] });
  const client = await clientOf(agent);
  const failing: readonly (readonly [() => Promise<unknown>, RegExp])[] = [
    [() => send(client, "hi", { contextId: "elsewhere" }), /elsewhere/],
    [() => send(client, "hi", { contextId: "../../etc" }), /\.\.|session/],
    [() => send(client, "hi", { taskId: "elsewhere:1" }), /no task/],
    [() => get(client, "main:none"), /no task/],
    [() => get(client, "nothing"), /no task/],
    [() => get(client, "../../etc:passwd"), /no task/],
    [() => send(client, "hi", { messageId: "a\nb" }), /messageId/],
    [() => send(client, "hi", { messageId: "x".repeat(256) }), /messageId/],
    [() => send(client, ""), /empty/],
    [() => all(client.sendMessageStream(requestOf("hi", { contextId: "elsewhere" }))), /elsewhere/],
  ];
  for (const [work, message] of failing) await expect(work()).rejects.toThrow(message);
  const push = { jsonrpc: "2.0", id: 1, method: "GetTaskPushNotificationConfig", params: { taskId: "t", id: "i" } };
  expect((await agent.json("POST", "a2a", push, { "a2a-version": "1.0" })).error).toMatchObject({ code: -32003 });
  expect((await agent.json("GET", "sessions")).sessions).toEqual([]);
  expect(agent.warnings).toEqual([]);
});

test("card and endpoint need the token and no other page, and users see only their own tasks", async () => {
  const users = [
    { name: "ann", token: "a-token-of-ann-for-tests" },
    { name: "bob", token: "a-token-of-bob-for-tests" },
  ];
  await using agent = await serveAgent({ access: { type: "users", users }, replies: [{ text: "Hello." }] });
  const [ann, bob] = await Promise.all(users.map(({ token }) => clientOf(agent, "/", token)));
  if (ann === undefined || bob === undefined) throw new Error("no client");
  const task = await send(ann, "hi");
  expect(answerOf(await get(ann, task.id))).toBe("Hello.");
  await expect(get(bob, task.id)).rejects.toThrow(/no task/);
  const everything = { tenant: "", contextId: "", status: 0, pageToken: "", statusTimestampAfter: undefined };
  expect((await ann.listTasks(everything)).tasks.map(({ id }) => id)).toEqual([task.id]);
  expect((await bob.listTasks(everything)).tasks).toEqual([]);
  for (const path of ["/.well-known/agent-card.json", ".well-known/agent-card.json"]) {
    expect((await agent.send("GET", path)).status).toBe(401);
  }
  const request = { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: task.id } };
  expect((await agent.send("POST", "a2a", request)).status).toBe(401);
  const headers = { authorization: `Bearer ${users[0]?.token}`, "a2a-version": "1.0", origin: "https://evil.example" };
  expect((await agent.send("POST", "a2a", request, headers)).status).toBe(403);
  const older = await agent.json("POST", "a2a", request, {
    ...headers,
    origin: agent.server.url,
    "a2a-version": "0.3",
  });
  expect(older).toMatchObject({ id: 1, error: { code: -32009 } });
});
