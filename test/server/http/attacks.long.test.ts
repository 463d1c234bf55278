import { expect, setDefaultTimeout, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { MINIMAL_AGENT, writeText } from "../../support/agent-files.ts";
import { eventually } from "../../support/eventually.ts";
import { freePorts } from "../../support/restate-server.ts";
import { cliCommand, cliEnvironment } from "../../support/run-cli.ts";
import { eventsUntil, serveAgent, TOKEN } from "../../support/served-agent.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

setDefaultTimeout(180_000);

function opened(port: number, text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(text);
      resolve(socket);
    });
    socket.on("error", reject);
  });
}

/** Opens silent connections and half requests, and prints a line when all are open. */
const FLOOD = `
const { connect } = require("node:net");
const [port, count] = process.argv.slice(1).map(Number);
const beginnings = ["", "GET /api/agents HTTP/1.1\\r\\nHost: 127", "POST /api/agents HTTP/1.1\\r\\nContent-Length: 5\\r\\n"];
const open = (index) => new Promise((resolve) => {
  const socket = connect(port, "127.0.0.1", () => { socket.write(beginnings[index % 3]); resolve(); });
  socket.on("error", resolve);
});
for (let index = 0; index < count; index += 100) await Promise.all(Array.from({ length: 100 }, (_, at) => open(index + at)));
console.log("open");
await new Promise((resolve) => process.stdin.on("end", resolve).resume());
process.exit();
`;

/** Another process with that many connections, until it is disposed of. */
async function flood(port: number, count: number): Promise<AsyncDisposable> {
  const child = Bun.spawn([process.execPath, "-e", FLOOD, String(port), String(count)], {
    ...{ stdin: "pipe", stdout: "pipe", stderr: "inherit" },
  });
  expect(new TextDecoder().decode((await child.stdout.getReader().read()).value)).toBe("open\n");
  return {
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await child.exited;
    },
  };
}

test("10,000 silent connections and half requests keep nobody else out", async () => {
  await using agent = await serveAgent({ replies: [{ text: "hello" }] });
  await using _flood = await flood(agent.server.port, 10_000);
  const begun = performance.now();
  expect((await agent.send("GET", "sessions", undefined, { connection: "close" })).status).toBe(200);
  expect(performance.now() - begun).toBeLessThan(10_000);
  await agent.send("POST", "sessions/main/prompts", { text: "hi" });
  await eventsUntil(agent, "main", "agent_end");
});

/** A server that may open few files. */
async function limitedServer(home: string, files: number, port = 0) {
  writeText(join(home, "agent", "agent.mdx"), MINIMAL_AGENT);
  const options = ["--trust", "--model", "offline", "--token", "env:TOKEN", "--port", String(port)];
  const command = cliCommand(["serve", "agent", ...options]);
  return Bun.spawn(["/bin/sh", "-c", `ulimit -n ${files}; exec "$@"`, "sh", ...command], {
    ...{ cwd: home, env: cliEnvironment({ home, environment: { TOKEN } }) },
    ...{ stdin: "ignore", stdout: "pipe", stderr: "inherit" },
  });
}

/** Resolves at the first connection that is taken. */
async function untilListening(port: number): Promise<void> {
  for (;;) {
    const socket = await opened(port, "").catch(() => undefined);
    if (socket !== undefined) return void socket.destroy();
    await Bun.sleep(1);
  }
}

const HEADERS = { authorization: `Bearer ${TOKEN}`, connection: "close" };

/** Asks over one connection, again and again. */
async function persistent(port: number): Promise<(path: string) => Promise<number>> {
  const socket = await opened(port, "");
  let text = "";
  socket.on("data", (data) => {
    text += data.toString("utf8");
  });
  const head = `HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
  return async (path) => {
    text = "";
    socket.write(`GET /api/agents/agent/${path} ${head}`);
    await eventually(() => text.endsWith("\n"));
    return Number(text.split(" ")[1]);
  };
}

test("more connections than the system allows are closed when they are silent, and the server goes on", async () => {
  using home = temporaryDirectory();
  const child = await limitedServer(home.path, 300);
  try {
    const url = new TextDecoder().decode((await child.stdout.getReader().read()).value).trim();
    const agents = async (): Promise<number> => (await fetch(`${url}/api/agents`, { headers: HEADERS })).status;
    expect(await agents()).toBe(200);
    const port = Number(new URL(url).port);
    const made = { method: "POST", headers: { ...HEADERS, "content-type": "application/json" }, body: '{"id":"made"}' };
    expect((await fetch(`${url}/api/agents/agent/sessions`, made)).status).toBe(201);
    const ask = await persistent(port);
    expect(await ask("sessions")).toBe(200);
    await using _flood = await flood(port, 500);
    // There is no file left to read with.
    await eventually(async () => expect(await ask("sessions")).toBe(503));
    // It waits until silent connections have been closed.
    expect(await agents()).toBe(200);
  } finally {
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  }
});

test("a flood from the moment on in which it listens does not end a server: it opens its agents, and runs prompts", async () => {
  using home = temporaryDirectory();
  const [port = 0] = await freePorts(1);
  const child = await limitedServer(home.path, 150, port);
  try {
    await untilListening(port);
    await using _flood = await flood(port, 200);
    const url = `http://127.0.0.1:${port}/api/agents/agent/sessions/main`;
    const body = JSON.stringify({ text: "hi" });
    const headers = { ...HEADERS, "content-type": "application/json" };
    expect((await fetch(`${url}/prompts`, { method: "POST", headers, body })).status).toBe(202);
    let seen = "";
    for await (const part of (await fetch(`${url}/events`, { headers })).body ?? []) {
      seen += new TextDecoder().decode(part);
      if (seen.includes('"type":"agent_end"')) break;
    }
    expect(seen).toContain('"outcome":"done"');
  } finally {
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  }
});

/** Sends a part of a body, then a byte at each interval; resolves to the status of the answer, 0 if there is none. */
async function drippedBody(port: number, interval: number): Promise<number> {
  const head = ["POST /api/agents/agent/sessions HTTP/1.1", `Host: 127.0.0.1:${port}`, "Content-Length: 1000"];
  const own = [`Authorization: Bearer ${TOKEN}`, "Content-Type: application/json"];
  const socket = await opened(port, `${[...head, ...own].join("\r\n")}\r\n\r\n{`);
  const drops = setInterval(() => socket.write(" "), interval);
  let text = "";
  socket.on("data", (data) => {
    text += data.toString("utf8");
  });
  await new Promise((resolve) => socket.on("close", resolve).on("data", resolve));
  clearInterval(drops);
  socket.destroy();
  return Number(text.split(" ")[1] ?? 0);
}

test("a body that comes drop by drop, and one that stops in its middle, are given up after a while", async () => {
  await using agent = await serveAgent();
  const { port } = agent.server;
  const [dripped, stopped] = await Promise.all([drippedBody(port, 2_000), drippedBody(port, 600_000)]);
  // A connection that is closed while its client sends may lose the answer.
  for (const status of [dripped, stopped]) expect([0, 408]).toContain(status);
  expect((await agent.json("GET", "sessions")).sessions).toEqual([]);
});

test("a client that reads nothing delays nobody, and misses no event", async () => {
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
  const pieces: string[] = [];
  let hasEnded = false;
  slow.on("data", (data) => {
    const piece = data.toString("utf8");
    hasEnded ||= ((pieces.at(-1) ?? "").slice(-100) + piece).includes('"type":"agent_end"');
    pieces.push(piece);
  });
  slow.resume();
  await eventually(() => hasEnded);
  slow.destroy();
  const text = pieces.join("");
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
