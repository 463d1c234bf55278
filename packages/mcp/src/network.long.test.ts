import { describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { eventually } from "../../../test/support/eventually.ts";
import { mcpBench, textOf } from "../../../test/support/mcp-bench.ts";
import { mcpHttpServer } from "../../../test/support/mcp-http-server.ts";
import { smallAnswer } from "../../../test/support/small-mcp-server.ts";
import { boundedFetch } from "./transports/bounded-fetch.ts";
import { farFetch } from "./transports/server-fetch.ts";

describe("a server over HTTP", () => {
  test.each([
    ["both", "2026-07-28"],
    ["sessions", "2025-11-25"],
  ] as const)(
    "that speaks %s is spoken to in the revision %s, with the headers of its definition",
    async (kind, revision) => {
      await using server = mcpHttpServer({ kind });
      const headers = { Authorization: "Bearer ${TOKEN}" };
      const environment = { TOKEN: "t0" };
      await using bench = mcpBench({ transport: "http", url: server.url, headers }, { environment });
      expect(textOf(await bench.call("echo", { a: 1 }))).toBe('{"a":1}');
      expect(server.requests.at(-1)?.headers.get("mcp-protocol-version")).toBe(revision);
      expect(new Set(server.requests.map((request) => request.headers.get("authorization")))).toEqual(
        new Set(["Bearer t0"]),
      );
    },
  );

  test("that has forgotten the session gets a new one, and the call", async () => {
    await using server = mcpHttpServer({ kind: "sessions" });
    await using bench = mcpBench({ transport: "http", url: server.url });
    await bench.call("echo");
    server.forget();
    expect(textOf(await bench.call("echo", { b: 2 }))).toBe('{"b":2}');
    expect(bench.connection.state).toEqual({ type: "connected" });
  });

  test("tells of new tools in the revision 2026-07-28, too", async () => {
    await using server = mcpHttpServer({ kind: "both" });
    await using bench = mcpBench({ transport: "http", url: server.url });
    await bench.connection.connect();
    server.addTool("late");
    await eventually(() => expect(bench.connection.tools).toHaveLength(2));
  });

  test("that cannot be reached fails with a reason, and is connected to once it can", async () => {
    const closed = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
    const { port } = closed;
    await closed.stop(true);
    await using bench = mcpBench(
      { transport: "http", url: `http://127.0.0.1:${port}/mcp` },
      { limits: { backOff: 60_000 } },
    );
    await bench.connection.connect();
    expect(bench.connection.state).toMatchObject({
      type: "failed",
      reason: expect.stringContaining(`could not reach http://127.0.0.1:${port}: ECONNREFUSED`),
    });
    await expect(bench.call("echo")).rejects.toThrow();
  });

  test("that answers with 40 MB fails the call, and is used further", async () => {
    let isHuge = false;
    const huge = (): Response =>
      new Response(`{"jsonrpc":"2.0","id":1,"result":"${"x".repeat(40_000_000)}"}`, {
        headers: { "content-type": "application/json" },
      });
    await using server = mcpHttpServer({ kind: "both", intercept: () => (isHuge ? huge() : undefined) });
    await using bench = mcpBench({ transport: "http", url: server.url });
    await bench.connection.connect();
    isHuge = true;
    await expect(bench.call("echo")).rejects.toThrow("The answer is too long to be read.");
    isHuge = false;
    expect(textOf(await bench.call("echo"))).toBe("{}");
  });

  test("that answers with one event of 40 MB in many lines fails the call", async () => {
    let sent = 0;
    const line = `data: ${"x".repeat(1_000_000)}\n`;
    const endless = (): Response =>
      new Response(
        new ReadableStream<string>({
          pull: (controller) => {
            sent += 1;
            controller.enqueue(line);
          },
        }),
        { headers: { "content-type": "text/event-stream" } },
      );
    let isEndless = false;
    await using server = mcpHttpServer({ kind: "both", intercept: () => (isEndless ? endless() : undefined) });
    await using bench = mcpBench({ transport: "http", url: server.url });
    await bench.connection.connect();
    isEndless = true;
    await expect(bench.call("echo")).rejects.toThrow("The answer is too long to be read.");
    expect(sent).toBeLessThan(100);
    isEndless = false;
    expect(textOf(await bench.call("echo"))).toBe("{}");
  });

  test.each(["\n", "\r\n", "\r"])("that answers with 40 MB in events that end with %j is read", async (end) => {
    const event = `data: ${"x".repeat(1_000_000)}${end}${end}`;
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => new Response(event.repeat(40), { headers: { "content-type": "text/event-stream" } }),
    });
    expect((await (await boundedFetch(server.url)).text()).length).toBe(40 * event.length);
  });

  test.each([
    ["http", "nonsense", "unexpected nonsense, expected an address such as https://example.com/mcp"],
    ["sse", "file:///etc/passwd", "unexpected file:///etc/passwd, expected an address"],
    ["tcp", "http://a.example", "unexpected http://a.example, expected tcp://HOST:PORT"],
  ] as const)("%s with the address %s is not tried", async (transport, url, reason) => {
    await using bench = mcpBench({ transport, url });
    await bench.connection.connect();
    expect(bench.connection.state).toEqual({ type: "failed", reason: expect.stringContaining(reason) });
  });
});

test.each([
  ["", "event: endpoint\ndata: /messages\n\n", (answer: string) => `event: message\ndata: ${answer}\n\n`],
  [
    " without names of events, with null in its answers",
    "data: /messages\n\n",
    (answer: string) => `data: ${answer.replace("{", '{"error":null,')}\n\n: ping\n\ndata: ping\n\n`,
  ],
])("a server over the event streams of 2024-11-05%s is used", async (_name, address, event) => {
  let send = (_text: string): void => {};
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      if (request.method === "POST") {
        const answer = smallAnswer(await request.text());
        if (answer !== undefined) send(event(answer));
        return new Response(null, { status: 202 });
      }
      const stream = new ReadableStream<string>({
        start: (controller) => {
          send = (text) => controller.enqueue(text);
          send(address);
        },
      });
      return new Response(stream, { headers: { "content-type": "text/event-stream" } });
    },
  });
  await using bench = mcpBench({ transport: "sse", url: `http://127.0.0.1:${server.port}/sse` });
  expect(textOf(await bench.call("echo", { a: 1 }))).toBe('{"a":1}');
});

describe("a server over TCP", () => {
  test("takes a message on each line, and its end is noticed", async () => {
    const sockets = new Set<Bun.Socket<{ rest: string }>>();
    using server = Bun.listen<{ rest: string }>({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open: (socket) => {
          socket.data = { rest: "" };
          sockets.add(socket);
        },
        data: (socket, bytes) => {
          const lines = (socket.data.rest + bytes.toString()).split("\n");
          socket.data.rest = lines.pop() ?? "";
          for (const line of lines) {
            const answer = smallAnswer(line);
            if (answer !== undefined) socket.write(`${answer}\n`);
          }
        },
      },
    });
    await using bench = mcpBench(
      { transport: "tcp", url: `tcp://127.0.0.1:${server.port}` },
      { limits: { backOff: 60_000 } },
    );
    expect(textOf(await bench.call("echo", { a: "ü" }))).toBe('{"a":"ü"}');
    for (const socket of sockets) socket.end();
    await eventually(() => expect(bench.connection.state.type).toBe("failed"));
    expect(bench.connection.state).toMatchObject({ reason: "the server has closed the connection" });
    expect(textOf(await bench.call("echo"))).toBe("{}");
  });

  test("that is not there fails with a reason", async () => {
    await using bench = mcpBench({ transport: "tcp", url: "tcp://127.0.0.1:1" });
    await bench.connection.connect();
    expect(bench.connection.state).toMatchObject({
      type: "failed",
      reason: expect.stringContaining("cannot connect to tcp://127.0.0.1:1"),
    });
  });
});

test.each([
  ["streamableHttp", "http", "mcp"],
  ["sse", "sse", "sse"],
] as const)("a server over %s that is killed during a call does not keep it waiting", async (kind, transport, path) => {
  const file = fileURLToPath(
    new URL("../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url),
  );
  const port = await freePort();
  const env = { PATH: process.env["PATH"], PORT: String(port) };
  const server = Bun.spawn([process.execPath, file, kind], { env, stdout: "ignore", stderr: "ignore" });
  await using bench = mcpBench(
    { transport, url: `http://127.0.0.1:${port}/${path}` },
    { limits: { backOff: 50, connect: 20_000, call: 60_000 } },
  );
  // It takes its time to start, and a connection gives up after some tries.
  await eventually(() => {
    void bench.connection.connect();
    return bench.connection.state.type === "connected";
  });
  const { signal } = new AbortController();
  let isRunning = false;
  const called = bench.connection.call(
    "trigger-long-running-operation",
    { duration: 50, steps: 500 },
    {
      signal,
      onProgress: () => {
        isRunning = true;
      },
    },
  );
  await eventually(() => isRunning);
  server.kill("SIGKILL");
  await expect(called).rejects.toThrow("the server no longer answers");
  await server.exited;
});

async function freePort(): Promise<number> {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port = 0 } = server;
  await server.stop(true);
  return port;
}

describe("what a server names for its sign-in", () => {
  test.each([
    ["https://mcp.example.com/mcp", "http", "rejects"],
    ["https://mcp.example.com/mcp", "https", "rejects"],
    ["http://192.0.2.7/mcp", "http", "rejects"],
    ["http://127.0.0.1:1/mcp", "http", "is asked"],
  ])("by a server at %s, an address of this machine over %s: %s", async (url, protocol, outcome) => {
    let asked = 0;
    using inner = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => {
        asked += 1;
        return new Response("inner");
      },
    });
    const answer = farFetch(new URL(url), fetch)(`${protocol}://127.0.0.1:${inner.port}/latest/meta-data`);
    if (outcome === "rejects") await expect(answer).rejects.toThrow("which is blocked");
    else expect(await (await answer).text()).toBe("inner");
    expect(asked).toBe(outcome === "rejects" ? 0 : 1);
  });
});
