import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { type McpBench, mcpBench, textOf } from "../support/mcp-bench.ts";
import { type OddResponse, type OddServer, oddHttpServer } from "../support/odd-mcp-server.ts";
import { requireProgram } from "../support/require-program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Long enough that a test fails whose call waits for its time. */
const LIMITS = { limits: { call: 60_000, connect: 60_000, backOff: 60_000 } };

const benchOf = (server: OddServer): McpBench => mcpBench({ transport: "http", url: server.url }, LIMITS);

const isRequest = (request: Request, body: string): boolean => request.method === "POST" && body !== "";
const isCall = (request: Request, body: string): boolean => isRequest(request, body) && body.includes('"content"');
const isNotice = (request: Request, body: string): boolean => request.method === "POST" && body === "";

const typed = (body: string | null, type: string | undefined, status = 200): Response =>
  new Response(body === null ? null : new TextEncoder().encode(body), {
    status,
    headers: type === undefined ? {} : { "content-type": type },
  });

const EVENTS = "text/event-stream";
const JSON_TYPE = "application/json";

/** Responses that are not those of the protocol; the call works. */
const TAKEN: readonly (readonly [name: string, respond: OddResponse])[] = [
  ["200 without a body to a notification", (...of) => (isNotice(...of) ? typed("", JSON_TYPE) : undefined)],
  ["204 to a notification", (...of) => (isNotice(...of) ? typed(null, undefined, 204) : undefined)],
  ["null to a notification", (...of) => (isNotice(...of) ? typed("null", JSON_TYPE) : undefined)],
  [
    "an error to a notification",
    (...of) => (isNotice(...of) ? typed('{"error":"unknown"}', JSON_TYPE, 400) : undefined),
  ],
  ["404 to GET", ({ method }) => (method === "GET" ? typed("none", "text/plain", 404) : undefined)],
  ["404 to DELETE", ({ method }) => (method === "DELETE" ? typed("none", "text/plain", 404) : undefined)],
  ["text/plain", (request, body) => (isRequest(request, body) ? typed(body, "text/plain") : undefined)],
  ["no type", (request, body) => (isRequest(request, body) ? typed(body, undefined) : undefined)],
  ["events as JSON", (request, body) => (isRequest(request, body) ? typed(`data: ${body}\n\n`, JSON_TYPE) : undefined)],
  ["JSON as events", (request, body) => (isRequest(request, body) ? typed(body, EVENTS) : undefined)],
  [
    "a mark of the encoding",
    (request, body) => (isRequest(request, body) ? typed(`\uFEFF${body}`, JSON_TYPE) : undefined),
  ],
  ["a batch", (request, body) => (isRequest(request, body) ? typed(`[${body}]`, JSON_TYPE) : undefined)],
  [
    "an event without a name",
    (request, body) => (isRequest(request, body) ? typed(`data: ${body}\n\n`, EVENTS) : undefined),
  ],
  [
    "an event of another name",
    (request, body) =>
      isRequest(request, body) ? typed(`event: response\r\ndata: ${body.trim()}\r\n\r\n`, EVENTS) : undefined,
  ],
  [
    "an event that no empty line ends",
    (request, body) => (isRequest(request, body) ? typed(`data: ${body.trim()}`, EVENTS) : undefined),
  ],
  [
    "an event over several lines",
    (request, body) =>
      isRequest(request, body)
        ? typed(`data: ${JSON.stringify(JSON.parse(body), null, 1).replaceAll("\n", "\ndata: ")}\n\n`, EVENTS)
        : undefined,
  ],
  [
    "signs of life that are no messages",
    (request, body) =>
      isRequest(request, body)
        ? typed(`: ping\n\nevent: ping\ndata: {}\n\ndata: ping\n\ndata: ${body}\n\n`, EVENTS)
        : undefined,
  ],
  [
    "a redirect to the same origin",
    (request) =>
      request.url.endsWith("/mcp") ? new Response(null, { status: 307, headers: { location: "/mcp/" } }) : undefined,
  ],
  [
    "another session in each response",
    (request, body) =>
      isRequest(request, body)
        ? new Response(body, { headers: { "content-type": JSON_TYPE, "mcp-session-id": crypto.randomUUID() } })
        : undefined,
  ],
];

test.each([...TAKEN])("a server that answers with %s is used", async (_name, respond) => {
  await using server = oddHttpServer({}, respond);
  await using bench = benchOf(server);
  expect(textOf(await bench.call("echo", { a: 1 }))).toBe('{"a":1}');
  expect(bench.connection.state).toEqual({ type: "connected" });
});

/** Responses that contain no answer to a call, which fails at once. */
const FAILING: readonly (readonly [name: string, response: () => Response, reason: string])[] = [
  ["nothing", () => typed("", JSON_TYPE), "The server answered 200 without a message."],
  ["202", () => typed(null, undefined, 202), "The server answered 202 without a message."],
  ["204", () => typed(null, undefined, 204), "The server answered 204 without a message."],
  ["null", () => typed("null", JSON_TYPE), "The answer is not a message but application/json: null"],
  [
    "a page",
    () => typed("<html>Log in</html>", "text/html; charset=utf-8"),
    "The answer is not a message but text/html; charset=utf-8: <html>Log in</html>",
  ],
  [
    "JSON that is cut off",
    () => typed('{"jsonrpc":"2.0","id":1,"resu', JSON_TYPE),
    'The answer is not JSON: {"jsonrpc":"2.0","id":1,"resu',
  ],
  [
    "another object",
    () => typed('{"detail":"Not here"}', JSON_TYPE),
    'The answer is not a message but application/json: {"detail":"Not here"}',
  ],
  [
    "events without the answer",
    () => typed(": ping\n\ndata: ping\n\n", EVENTS),
    "The server ended its answer before it was complete.",
  ],
  ["no events", () => typed("", EVENTS), "The server ended its answer before it was complete."],
  [
    "an event that is cut off",
    () => typed('data: {"jsonrpc":"2.0","id":2,"result":{"cont', EVENTS),
    "The answer is not JSON",
  ],
  [
    "the answer of another request",
    () => typed('{"jsonrpc":"2.0","id":77,"result":{}}', JSON_TYPE),
    "has the id 77, which no request has",
  ],
  [
    "a stream that is not resumed",
    () => typed("id: 1\ndata:\n\n", EVENTS),
    "The server ended its answer before it was complete.",
  ],
];

test.each([...FAILING])(
  "a call that is answered with %s fails at once, and the server is used further",
  async (_name, response, reason) => {
    let isOdd = true;
    await using server = oddHttpServer({}, (...of) => (isOdd && isCall(...of) ? response() : undefined));
    await using bench = benchOf(server);
    await bench.connection.connect();
    await expect(bench.call("echo")).rejects.toThrow(reason);
    isOdd = false;
    expect(textOf(await bench.call("echo"))).toBe("{}");
  },
);

test("a page instead of a stream is not read again and again", async () => {
  let count = 0;
  await using server = oddHttpServer({}, ({ method }) => {
    if (method !== "GET") return undefined;
    count += 1;
    return typed("<html></html>", "text/html");
  });
  await using bench = benchOf(server);
  await bench.call("echo");
  await Bun.sleep(1_500);
  expect(count).toBe(1);
});

test("an answer over the stream that the server keeps open is taken", async () => {
  let push: ((event: string) => void) | undefined;
  await using server = oddHttpServer({}, (request, body) => {
    if (request.method === "GET") {
      const stream = new ReadableStream<string>({
        start: (controller) => {
          push = (event) => controller.enqueue(event);
          push(": open\n\n");
        },
      });
      return new Response(stream, { headers: { "content-type": EVENTS } });
    }
    if (!isCall(request, body)) return undefined;
    setTimeout(() => push?.(`data: ${body}\n\n`), 20);
    return typed(null, undefined, 202);
  });
  await using bench = benchOf(server);
  await bench.connection.connect();
  await eventually(() => push !== undefined);
  expect(textOf(await bench.call("echo"))).toBe("{}");
});

test("an answer fails if the stream that was to bring it ends and is not opened again", async () => {
  let end: (() => void) | undefined;
  let count = 0;
  await using server = oddHttpServer({}, (request, body) => {
    if (request.method === "GET") {
      count += 1;
      if (count > 1) return typed("none", "text/plain", 405);
      const stream = new ReadableStream<string>({
        start: (controller) => {
          end = () => controller.close();
          controller.enqueue(": open\n\n");
        },
      });
      return new Response(stream, { headers: { "content-type": EVENTS } });
    }
    if (!isCall(request, body)) return undefined;
    setTimeout(() => end?.(), 20);
    return typed(null, undefined, 202);
  });
  await using bench = benchOf(server);
  await bench.connection.connect();
  await eventually(() => end !== undefined);
  await expect(bench.call("echo")).rejects.toThrow("The server ended its answer before it was complete.");
});

test("a connection that is closed without an answer is named once", async () => {
  using server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: (socket) => void socket.end() } });
  const url = `http://127.0.0.1:${server.port}`;
  await using bench = mcpBench({ transport: "http", url: `${url}/mcp` }, LIMITS);
  await bench.connection.connect();
  const { state } = bench.connection;
  expect(state.type === "failed" ? state.reason : "").toMatch(/^lost the connection to http:[\d./:]+: \w+$/);
});

describe("a refusal says why", () => {
  const refusals: readonly (readonly [name: string, response: () => Response, reason: string])[] = [
    ["401", () => typed("no token", "text/plain", 401), "the server requires a sign-in"],
    ["403", () => typed('{"detail":"no token"}', JSON_TYPE, 403), "the server answered 403 Forbidden: no token"],
    ["404", () => typed("nothing here", "text/plain", 404), "the server answered 404 Not Found: nothing here"],
    ["500", () => typed("broken", "text/plain", 500), "the server answered 500 Internal Server Error: broken"],
    [
      "502 with a page",
      () => typed("<html><style>b{}</style><h1>Bad gateway</h1></html>", "text/html", 502),
      "the server answered 502 Bad Gateway: Bad gateway",
    ],
    [
      "400 with a message",
      () => typed('{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"bad header"}}', JSON_TYPE, 400),
      "the server answered 400 Bad Request: bad header",
    ],
    [
      "a page",
      () => typed("<html>Log in</html>", "text/html"),
      "The answer is not a message but text/html: <html>Log in</html>",
    ],
    [
      "a redirect to another origin",
      () => new Response(null, { status: 302, headers: { location: "https://other.example/" } }),
      "https://other.example",
    ],
  ];
  for (const [name, response, reason] of refusals)
    test(name, async () => {
      await using server = oddHttpServer({}, response);
      await using bench = benchOf(server);
      await bench.connection.connect();
      expect(bench.connection.state).toMatchObject({ type: "failed", reason: expect.stringContaining(reason) });
    });

  test("of headers that the server does not accept", async () => {
    await using server = oddHttpServer({}, () => typed("expired", "text/plain", 401));
    await using bench = mcpBench(
      { transport: "http", url: server.url, headers: { authorization: "Bearer old" } },
      LIMITS,
    );
    await bench.connection.connect();
    expect(bench.connection.state).toMatchObject({
      reason: "the server requires a sign-in: it does not accept the header authorization",
    });
  });
});

describe("a connection that is not made", () => {
  const failure = async (url: string, environment: Readonly<Record<string, string>>): Promise<unknown> => {
    await using bench = mcpBench({ transport: "http", url }, { ...LIMITS, environment });
    await bench.connection.connect();
    const { state } = bench.connection;
    return state.type === "failed" ? state.reason : state.type;
  };

  test("names the proxy, without its password, unless the address is exempt from it", async () => {
    const proxy = { HTTP_PROXY: "http://me:secret@127.0.0.1:9" };
    const url = "http://127.0.0.1:1/mcp";
    const plain = "could not reach http://127.0.0.1:1: ECONNREFUSED. Is the server running, or a proxy in front of it?";
    const through = (name: string): string =>
      `could not reach http://127.0.0.1:1 through the proxy 127.0.0.1:9 of ${name}: ECONNREFUSED. `;
    expect(await failure(url, proxy)).toBe(
      `${through("HTTP_PROXY")}Is the proxy right? NO_PROXY=127.0.0.1 bypasses it.`,
    );
    expect(await failure(url, { ...proxy, NO_PROXY: "127.*" })).toStartWith(
      `${through("HTTP_PROXY")}NO_PROXY has 127.*, a pattern that has no effect`,
    );
    expect(await failure(url, { all_proxy: "127.0.0.1:9" })).toStartWith(through("all_proxy"));
    expect(await failure(url, { ...proxy, NO_PROXY: "localhost, 127.0.0.1" })).toBe(plain);
    expect(await failure(url, { ...proxy, NO_PROXY: "127.0.0.0/8" })).toBe(plain);
    expect(await failure(url, { HTTPS_PROXY: "http://127.0.0.1:9" })).toBe(plain);
  });

  test.skipIf(requireProgram("openssl"))(
    "since the certificate is the server's own names the variable for it",
    async () => {
      using directory = temporaryDirectory();
      const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(directory.path, name));
      const made = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"];
      Bun.spawnSync(["openssl", "req", ...made, "-keyout", `${key}`, "-out", `${cert}`]);
      using server = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        tls: { key: Bun.file(`${key}`), cert: Bun.file(`${cert}`) },
        fetch: () => new Response(),
      });
      const { origin } = new URL(`https://127.0.0.1:${server.port}`);
      expect(await failure(`${origin}/mcp`, {})).toBe(
        `could not reach ${origin}: DEPTH_ZERO_SELF_SIGNED_CERT. Name your own certificates in NODE_EXTRA_CA_CERTS.`,
      );
    },
  );

  test("since the server speaks no https says so", async () => {
    await using server = oddHttpServer({});
    const url = server.url.replace("http:", "https:");
    expect(await failure(url, {})).toContain("Does the server speak https?");
  });
});
