import { expect, setDefaultTimeout, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { eventually } from "../../support/eventually.ts";
import { eventsUntil, serveAgent, TOKEN } from "../../support/served-agent.ts";

setDefaultTimeout(60_000);

function opened(port: number, text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(text);
      resolve(socket);
    });
    socket.on("error", reject);
  });
}

test("thousands of silent and half requests keep nobody else out", async () => {
  await using agent = await serveAgent({ replies: [{ text: "hello" }] });
  const { port } = agent.server;
  const beginnings = [
    "",
    "GET /api/agents HTTP/1.1\r\nHost: 127",
    "POST /api/agents HTTP/1.1\r\nContent-Length: 5\r\n",
  ];
  const sockets: Socket[] = [];
  while (sockets.length < 2000) {
    const some = Array.from({ length: 100 }, (_, index) => opened(port, beginnings[index % beginnings.length] ?? ""));
    sockets.push(...(await Promise.all(some)));
  }
  const begun = performance.now();
  expect((await agent.send("GET", "sessions")).status).toBe(200);
  expect(performance.now() - begun).toBeLessThan(10_000);
  await agent.send("POST", "sessions/main/prompts", { text: "hi" });
  await eventsUntil(agent, "main", "agent_end");
  for (const socket of sockets) socket.destroy();
});

test("a client that reads nothing costs no memory, delays nobody, and misses no event", async () => {
  const deltas = Array.from({ length: 3000 }, (_, index) => `${index} ${"x".repeat(2000)} `);
  await using agent = await serveAgent({ replies: [{ deltas }] });
  const { port } = agent.server;
  const lines = [
    "GET /api/agents/agent/sessions/main/events HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${TOKEN}`,
    "Accept: text/event-stream",
  ];
  const slow = await opened(port, `${lines.join("\r\n")}\r\n\r\n`);
  slow.pause();
  await agent.send("POST", "sessions/main/prompts", { text: "hi" });
  await eventsUntil(agent, "main", "agent_end");
  let text = "";
  slow.on("data", (data) => {
    text += data.toString("utf8");
  });
  slow.resume();
  await eventually(() => text.includes('"type":"agent_end"'));
  slow.destroy();
  const ids = [...text.matchAll(/^id: (\d+\.\d+)$/gm)].map(([, id]) => id);
  expect(ids).toEqual(ids.map((_, index) => `1.${index + 1}`));
});

test("what a model, a tool or a title says is data in every answer, never a page", async () => {
  const hostile = "<script>alert(1)</script>\u001b[2J\nid: 9.9\ndata: {}\n\n";
  await using agent = await serveAgent({ replies: [{ text: hostile }] });
  await agent.send("POST", "sessions", { id: "s", title: hostile });
  await agent.send("POST", "sessions/s/prompts", { text: hostile });
  const events = await eventsUntil(agent, "s", "agent_end");
  // No text can begin an event of its own.
  expect(events.every(({ id }) => id === undefined || id.startsWith("1."))).toBe(true);
  for (const path of [
    "sessions",
    "sessions/s",
    "sessions/s/messages",
    "sessions/s/export",
    "sessions/s/events?follow=false",
  ]) {
    const response = await agent.send("GET", path);
    expect(response.headers.get("content-type")).toMatch(/^application\/(json|x-ndjson)$/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  }
});

test("events and questions of other users are unknown, whatever the path", async () => {
  const users = ["ann", "bob"].map((name) => ({ name, token: `the-token-of-${name}-` }));
  const command = { calls: [{ id: "c1", name: "bash", arguments: { command: "touch made" } }] };
  await using agent = await serveAgent({ access: { type: "users", users }, replies: [command, { text: "done" }] });
  const [ann, bob] = users.map(({ token }) => ({ authorization: `Bearer ${token}` }));
  await agent.send("POST", "sessions", { id: "diary" }, ann);
  await agent.send("POST", "sessions/diary/prompts", { text: "go" }, ann);
  const asked = async (): Promise<number> =>
    (await agent.json("GET", "sessions/diary/questions", undefined, ann)).questions.length;
  while ((await asked()) === 0);
  for (const path of ["diary", "%64iary", "../ann/sessions/diary", "..%2fann%2fsessions%2fdiary"]) {
    for (const [method, part, body] of [
      ["GET", "events?follow=false"],
      ["GET", "messages"],
      ["GET", "questions"],
      ["POST", "questions/1.1.1", { answer: "yes" }],
      ["POST", "cancel", {}],
      ["DELETE", ""],
    ] as const) {
      const response = await agent.send(method, `sessions/${path}/${part}`.replace(/\/$/, ""), body, bob);
      expect([path, part, response.status]).toEqual([path, part, 404]);
    }
  }
  // Nor can a user name another one.
  const named = { ...bob, "x-user": "ann", cookie: "user=ann" };
  expect((await agent.send("GET", "sessions/diary", undefined, named)).status).toBe(404);
  expect(await asked()).toBe(1);
});
