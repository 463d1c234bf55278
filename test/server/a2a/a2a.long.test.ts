import { expect, test } from "bun:test";
import type { Part } from "@a2a-js/sdk";
import {
  all,
  answerOf,
  COMMAND,
  clientOf,
  dataPart,
  get,
  requestOf,
  send,
  stateOf,
  textOf,
  textPart,
} from "../../support/a2a-client.ts";
import { eventually } from "../../support/eventually.ts";
import { serveAgent } from "../../support/served-agent.ts";

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
