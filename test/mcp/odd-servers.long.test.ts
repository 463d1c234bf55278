import { describe, expect, test } from "bun:test";
import type { JsonObject } from "@mdx-ai/base";
import type { McpQuestion } from "@mdx-ai/mcp";
import { eventually } from "../support/eventually.ts";
import { type McpBench, mcpBench, textOf } from "../support/mcp-bench.ts";
import { answer, type OddAnswer, type OddServer, oddHttpServer, oddLineServer } from "../support/odd-mcp-server.ts";

type Answers = Readonly<Record<string, OddAnswer>>;

/** Long enough that a test fails whose call waits for its time. */
const LIMITS = { limits: { call: 60_000, connect: 60_000, backOff: 60_000 } };

const lineBench = (server: OddServer): McpBench => mcpBench({ transport: "tcp", url: server.url }, LIMITS);
const httpBench = (server: OddServer): McpBench => mcpBench({ transport: "http", url: server.url }, LIMITS);

const TRANSPORTS: readonly (readonly [
  name: string,
  serve: (answers: Answers) => Promise<OddServer>,
  bench: (server: OddServer) => McpBench,
])[] = [
  ["lines", oddLineServer, lineBench],
  ["HTTP", async (answers) => oddHttpServer(answers), httpBench],
];

const namesOf = ({ connection }: McpBench): readonly string[] => connection.tools.map(({ name }) => name);
const object: JsonObject = { type: "object" };
const tool = (name: string, more: object = {}): object => ({ name, inputSchema: object, ...more });
const text = (words: string): object => ({ type: "text", text: words });
const raw = (id: unknown, rest: string): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}}\n`;

/** What makes a handshake odd; the tools are there all the same. */
const HANDSHAKES: readonly (readonly [name: string, result: object])[] = [
  [
    "null in place of all that may be absent",
    {
      protocolVersion: "2025-11-25",
      capabilities: { tools: null, logging: null, experimental: null, prompts: { listChanged: null } },
      serverInfo: { name: "s", version: "1", title: null, icons: null, websiteUrl: null },
      instructions: null,
      _meta: null,
    },
  ],
  ["capabilities that are null", { protocolVersion: "2025-11-25", capabilities: null, serverInfo: null }],
  ["no capabilities and no name", { protocolVersion: "2025-11-25" }],
  [
    "tools that are not declared",
    { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } },
  ],
  [
    "capabilities that are lists and truth values",
    {
      protocolVersion: "2025-11-25",
      capabilities: { tools: [], prompts: true, resources: { subscribe: "true" } },
      serverInfo: { name: 7 },
    },
  ],
  ["no revision", { capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }],
  [
    "a revision that nobody knows",
    { protocolVersion: "2031-01-01", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
  ],
];

/** What makes a list of tools odd, and the names that are there. */
const LISTS: readonly (readonly [name: string, result: unknown, names: readonly string[], warning?: string])[] = [
  ["a cursor that is false", { tools: [tool("a")], nextCursor: false }, ["a"]],
  ["a cursor that is null", { tools: [tool("a")], nextCursor: null, _meta: null }, ["a"]],
  [
    "null in all places of a tool",
    {
      tools: [
        tool("a", {
          title: null,
          description: null,
          outputSchema: null,
          annotations: null,
          icons: null,
          execution: null,
          _meta: null,
        }),
      ],
    },
    ["a"],
  ],
  ["null in annotations", { tools: [tool("a", { annotations: { title: null, readOnlyHint: null } })] }, ["a"]],
  ["no list", {}, []],
  ["a list that is null", { tools: null }, []],
  ["null as the result", null, []],
  ["the list itself as the result", [tool("a")], ["a"]],
  ["a tool in place of a list", { tools: tool("a") }, ["a"]],
  ["null among the tools", { tools: [null, tool("a")] }, ["a"], "lists a tool without a name, which is left out"],
  [
    "a tool without a name",
    { tools: [{ inputSchema: object }, tool("a")] },
    ["a"],
    "lists a tool without a name, which is left out",
  ],
  [
    "a tool whose name is null",
    { tools: [tool("a"), { name: null, inputSchema: object }] },
    ["a"],
    "lists a tool without a name, which is left out",
  ],
  [
    "a tool of 1 MB",
    { tools: [tool("a"), tool("big", { description: "x".repeat(1_000_000) })] },
    ["a"],
    "lists the tool big, which is too large or too deep, so it is left out",
  ],
  [
    "two tools of one name",
    { tools: [tool("a", { description: "first" }), tool("b"), tool("a")] },
    ["a", "b"],
    "lists 2 tools named a; the first is used",
  ],
];

/** Schemas of parameters, and what the agent has of them. */
const SCHEMAS: readonly (readonly [schema: unknown, expected: JsonObject])[] = [
  [null, object],
  [[], object],
  [{}, object],
  [{ properties: { a: { type: "string" } } }, { type: "object", properties: { a: { type: "string" } } }],
  [{ type: "object", properties: null, required: null, description: null, additionalProperties: null }, object],
  [{ type: "object", properties: [], required: [] }, object],
  [
    { type: "object", required: ["a", null, 3], properties: { a: null } },
    { type: "object", properties: { a: {} }, required: ["a"] },
  ],
  [
    { type: "object", properties: { a: { type: "array", items: { description: null, type: "string" }, title: null } } },
    { type: "object", properties: { a: { type: "array", items: { type: "string" } } } },
  ],
  [
    {
      type: "object",
      properties: { a: { default: null, const: null, enum: [null, 1], examples: [null] } },
      $defs: { b: { anyOf: [{ type: "null", title: null }] } },
    },
    {
      type: "object",
      properties: { a: { default: null, const: null, enum: [null, 1], examples: [null] } },
      $defs: { b: { anyOf: [{ type: "null" }] } },
    },
  ],
];

/** Results of a call, and the text of them. */
const RESULTS: readonly (readonly [name: string, result: unknown, text: string, isError?: boolean])[] = [
  [
    "null in place of all that may be absent",
    {
      content: [{ ...text("x"), annotations: null, _meta: null }],
      isError: null,
      structuredContent: null,
      _meta: null,
    },
    "x",
  ],
  ["content that is null", { content: null }, ""],
  ["no content", {}, ""],
  ["content that is a text", { content: "x" }, "x"],
  ["one part in place of a list", { content: text("x") }, "x"],
  ["texts in place of parts", { content: ["x", "y"] }, "x\ny"],
  ["null among the parts", { content: [null, text("x")] }, "x"],
  ["a text that is null", { content: [{ type: "text", text: null }, text("x")] }, "\nx"],
  ["a text that is a number", { content: [{ type: "text", text: 7 }] }, "7"],
  ["a text that is an object", { content: [{ type: "text", text: { a: null } }] }, '{"a":null}'],
  ["a part without a type", { content: [{ text: "x" }] }, "x"],
  ["a part of an unknown type with a text", { content: [{ type: "error", text: "no" }] }, "no"],
  [
    "a part of an unknown type",
    { content: [{ type: "json", json: { a: 1 } }, text("x")] },
    '[Content of the unknown type json] {"type":"json","json":{"a":1}}\nx',
  ],
  ["structured content alone", { structuredContent: { a: null, b: [null] } }, '{"a":null,"b":[null]}'],
  ["values in place of content", { answer: 42, _meta: null }, '{"answer":42}'],
  ["the result of the first revision", { toolResult: { content: [text("x")] } }, "x"],
  ["a text as the result", "x", "x"],
  ["a list as the result", [text("x")], "x"],
  ["null as the result", null, ""],
  ["isError as a text", { content: [text("no")], isError: "true" }, "no", true],
  ["isError as another text", { content: [text("yes")], isError: "false" }, "yes"],
  [
    "an image in a data URL",
    { content: [{ type: "image", data: "data:image/png;base64,iVBORw0KGgo=" }] },
    "<image/png>",
  ],
  ["an image without a type", { content: [{ type: "image", data: "/9j/AA==\n", mimeType: null }] }, "<image/jpeg>"],
  [
    "an image that is none",
    { content: [{ type: "image", data: "§", mimeType: "image/png" }, text("x")] },
    "[An image was left out: its data is not in base64]\nx",
  ],
  [
    "an image with the letters of addresses",
    { content: [{ type: "image", data: "_9j_AA", mimeType: "image/jpeg" }] },
    "<image/jpeg>",
  ],
  ["audio without its data", { content: [{ type: "audio" }] }, "[Audio was left out: its data is not in base64]"],
  [
    "a resource with null",
    { content: [{ type: "resource", resource: { uri: "a://b", text: "x", mimeType: null, blob: null } }] },
    "[Resource a://b]\nx",
  ],
  [
    "a resource without contents",
    { content: [{ type: "resource", resource: { uri: "a://b" } }] },
    "[Resource a://b]\n",
  ],
  [
    "a link without a name",
    { content: [{ type: "resource_link", uri: "a://b", name: null, description: null }] },
    "[Link to the resource a://b: a://b]",
  ],
];

/** What a server writes in answer to a call, and the text or the error. */
const MESSAGES: readonly (readonly [name: string, write: OddAnswer, expected: string | RegExp])[] = [
  ["error and data that are null", (id) => ({ ...answer(id, { content: [text("x")] }), error: null }), "x"],
  ["an id that is a text", (id) => answer(String(id), { content: [text("x")] }), "x"],
  ["no version", (id) => ({ id, result: { content: [text("x")] } }), "x"],
  ["a version that is a number", (id) => ({ ...answer(id, { content: [text("x")] }), jsonrpc: 2 }), "x"],
  [
    "members that are unknown, and the method",
    (id) => ({ ...answer(id, { content: [text("x")] }), method: "tools/call", time: 3 }),
    "x",
  ],
  [
    "a batch",
    (id) => [
      {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: "none", progress: 1, total: null, message: null },
      },
      answer(id, { content: [text("x")] }),
    ],
    "x",
  ],
  [
    "an error whose data is null, beside a result that is null",
    (id) => ({ ...answer(id, null), error: { code: -32000, message: "broken", data: null } }),
    /broken/,
  ],
  [
    "an error beside a result",
    (id) => ({ ...answer(id, { content: [] }), error: { code: -32000, message: "broken" } }),
    /broken/,
  ],
  ["an error that is a text", (id) => ({ jsonrpc: "2.0", id, error: "broken" }), /broken/],
  [
    "an error without a code and a message",
    (id) => ({ jsonrpc: "2.0", id, error: { reason: "broken" } }),
    /\{"reason":"broken"\}/,
  ],
  [
    "an error whose code is a text",
    (id) => ({ jsonrpc: "2.0", id, error: { code: "-32602", message: "broken" } }),
    /broken/,
  ],
  [
    "an error without an id",
    () => ({ jsonrpc: "2.0", error: { code: -32700, message: "Parse error" } }),
    /Parse error/,
  ],
  [
    "an error whose id is null",
    () => ({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } }),
    /Parse error/,
  ],
  ["neither result nor error", (id) => ({ jsonrpc: "2.0", id }), /The answer to tools\/call cannot be read/],
  ["an id that no request has", () => answer(999, { content: [text("x")] }), /has the id 999, which no request has/],
  ["JSON that is cut off", (id) => raw(id, '"result":{"content":[').replace("}\n", "\n"), /The answer is not JSON/],
  ["JSON without an id that is cut off", () => '{"result":{"content":[{"type":"text","te\n', /The answer is not JSON/],
  [
    "several lines of JSON that are cut off",
    (id) => `{\n  "jsonrpc": "2.0",\n  "id": ${id},\n  "result": {\n`,
    /The answer is not JSON/,
  ],
  [
    "several lines of JSON without an id that are cut off",
    () => '{\n  "jsonrpc": "2.0",\n  "result": {\n',
    /The answer is not JSON/,
  ],
  [
    "a value that JSON does not have",
    (id) => raw(id, '"result":{"content":[],"structuredContent":{"a":NaN}}'),
    /The answer is not JSON/,
  ],
  [
    "a message over several lines",
    (id) => `${JSON.stringify(answer(id, { content: [text("x"), {}, []] }), null, 2)}\n`,
    /^x\n/,
  ],
  ["a mark of its encoding", (id) => `\uFEFF${JSON.stringify(answer(id, { content: [text("x")] }))}\r\n`, "x"],
];

for (const [transport, serve, benchOf] of TRANSPORTS) {
  describe(`over ${transport}`, () => {
    test.each(HANDSHAKES)("a handshake with %s", async (_name, result) => {
      await using server = await serve({ initialize: (id) => answer(id, result) });
      await using bench = benchOf(server);
      await bench.connection.connect();
      expect(bench.connection.state).toEqual({ type: "connected" });
      expect(namesOf(bench)).toStrictEqual(["echo", "other"]);
      expect(textOf(await bench.call("echo", { a: 1 }))).toBe('{"a":1}');
    });

    for (const [name, result, names, warning] of LISTS)
      test(`a list of tools with ${name}`, async () => {
        await using server = await serve({ "tools/list": (id) => answer(id, result) });
        await using bench = benchOf(server);
        await bench.connection.connect();
        expect(bench.connection.state).toEqual({ type: "connected" });
        expect(namesOf(bench)).toStrictEqual(names);
        expect(bench.warnings).toStrictEqual(warning === undefined ? [] : [`the MCP server tested ${warning}`]);
      });

    for (const [name, result, expected, isError = false] of RESULTS)
      test(`a result with ${name}`, async () => {
        await using server = await serve({ "tools/call": (id) => answer(id, result) });
        await using bench = benchOf(server);
        const called = await bench.call("echo");
        expect(textOf(called)).toBe(expected);
        expect(called.isError).toBe(isError);
      });

    for (const [name, write, expected] of MESSAGES)
      test(`an answer with ${name}`, async () => {
        await using server = await serve({ "tools/call": write });
        await using bench = benchOf(server);
        const called = bench.call("echo");
        if (typeof expected === "string") expect(textOf(await called)).toBe(expected);
        else expect(await called.then(textOf, (error) => String(error.message))).toMatch(expected);
        expect(bench.connection.state).toEqual({ type: "connected" });
      });
  });
}

for (const [schema, expected] of SCHEMAS)
  test(`a tool with the schema ${JSON.stringify(schema)} can be used`, async () => {
    await using server = await oddLineServer({
      "tools/list": (id) => answer(id, { tools: [{ name: "a", inputSchema: schema }, tool("b")] }),
    });
    await using bench = lineBench(server);
    await bench.connection.connect();
    expect(bench.connection.tools.map(({ inputSchema }) => inputSchema)).toEqual([expected, object]);
  });

/** What a program writes besides its answer, or around it; the answer is read. */
const WRITTEN: readonly (readonly [name: string, write: (json: string) => string])[] = [
  [
    "lines of a log",
    (json) => `INFO started\n{"level":"info","msg":"x","id":1}\n{"method":"GET","path":"/"}\n${json}\n`,
  ],
  ["an error in a log of JSON", (json) => `{"error":"not now","level":"warn"}\n{"id":null,"error":"x"}\n${json}\n`],
  ["a banner on the same line", (json) => `ready> ${json}\n`],
  ["characters of two bytes", (json) => `\uFEFF${[...`${json}\r\n`].join("\0")}\0`],
  ["lines of a log that has begun", (json) => `{\n  "level": "info",\n${json}\n}\n`],
  [
    "a message over several lines behind a broken one",
    (json) => `{\n  "a": \n}\n${JSON.stringify(JSON.parse(json), null, "\t")}\n`,
  ],
];

for (const [name, write] of WRITTEN)
  test(`an answer with ${name} is read`, async () => {
    await using server = await oddLineServer({
      "tools/call": (id) => write(JSON.stringify(answer(id, { content: [text("x")] }))),
    });
    await using bench = lineBench(server);
    expect(textOf(await bench.call("echo"))).toBe("x");
    expect(textOf(await bench.call("echo"))).toBe("x");
  });

describe("a list", () => {
  const page = (name: string, cursor: unknown): object => ({ tools: [tool(name)], nextCursor: cursor });

  test("whose cursor never ends keeps what came, with a warning", async () => {
    let count = 0;
    await using server = await oddLineServer({
      "tools/list": (id) => {
        count += 1;
        return answer(id, page(`t${count}`, `c${count}`));
      },
    });
    await using bench = lineBench(server);
    await bench.connection.connect();
    expect(bench.connection.state).toEqual({ type: "connected" });
    expect(bench.connection.tools).toHaveLength(200);
    expect(count).toBe(200);
    expect(bench.warnings).toStrictEqual([
      "the MCP server tested lists its tools without an end; the first 200 pages are used",
    ]);
  });

  const ends: readonly (readonly [
    name: string,
    pages: readonly object[],
    names: readonly string[],
    warning?: string,
  ])[] = [
    [
      "with the same cursor and other tools",
      [page("a", "x"), page("b", "x"), page("c", "x")],
      ["a", "b"],
      "lists its tools without an end; the first 2 pages are used",
    ],
    [
      "with the same cursor and the same tools",
      [page("a", "x"), page("a", "x")],
      ["a"],
      "lists its tools without an end; the first 2 pages are used",
    ],
    ["with an empty cursor that leads to the same page", [page("a", ""), page("a", "")], ["a"]],
    ["with an empty cursor that leads on", [page("a", ""), page("b", null)], ["a", "b"]],
    ["with a cursor that is a number", [page("a", 2), page("b", null)], ["a", "b"]],
  ];
  for (const [name, pages, names, warning] of ends)
    test(name, async () => {
      let count = 0;
      await using server = await oddLineServer({
        "tools/list": (id) => {
          count += 1;
          return answer(id, pages[count - 1]);
        },
      });
      await using bench = lineBench(server);
      await bench.connection.connect();
      expect(namesOf(bench)).toStrictEqual(names);
      expect(bench.warnings).toStrictEqual(warning === undefined ? [] : [`the MCP server tested ${warning}`]);
    });

  test.each(TRANSPORTS)("whose second page is an error keeps the first, over %s", async (_name, serve, benchOf) => {
    await using server = await serve({
      "tools/list": (id, { cursor }) =>
        cursor === undefined
          ? answer(id, page("a", "x"))
          : { jsonrpc: "2.0", id, error: { code: -32603, message: "no such page" } },
    });
    await using bench = benchOf(server);
    await bench.connection.connect();
    expect(namesOf(bench)).toStrictEqual(["a"]);
    expect(bench.warnings).toStrictEqual([
      "the MCP server tested does not list all its tools: after 1 pages it answered: no such page",
    ]);
  });

  test.each(TRANSPORTS)("whose second page cannot be read keeps the first, over %s", async (_name, serve, benchOf) => {
    await using server = await serve({
      "tools/list": (id, { cursor }) => (cursor === undefined ? answer(id, page("a", "x")) : { jsonrpc: "2.0", id }),
    });
    await using bench = benchOf(server);
    await bench.connection.connect();
    expect(namesOf(bench)).toStrictEqual(["a"]);
    expect(bench.warnings[0]).toStartWith(
      "the MCP server tested does not list all its tools: after 1 pages it answered: The answer to tools/list cannot be read",
    );
  });

  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const initialize: OddAnswer = (id, { protocolVersion }) =>
    answer(id, { protocolVersion, capabilities, serverInfo: { name: "odd", version: "1" } });

  test("of resources leaves out a bad one alone, with a warning", async () => {
    const resources = [
      { uri: "a://1", name: null, title: "One", description: null, mimeType: null, annotations: null, size: null },
      { name: "no address" },
      { uri: "a://2", name: "two", annotations: { priority: 7, lastModified: "yesterday" }, size: "large" },
      { uri: "a://1", name: "again" },
    ];
    await using server = await oddLineServer({
      initialize,
      "resources/list": (id) => answer(id, { resources, nextCursor: null }),
      "resources/read": (id, { uri }) => answer(id, { contents: { uri, text: "x", mimeType: null, blob: null } }),
    });
    await using bench = lineBench(server);
    expect(await bench.connection.resources()).toStrictEqual([
      { uri: "a://1", name: "One" },
      { uri: "a://2", name: "two" },
    ]);
    expect(bench.warnings).toStrictEqual([
      "the MCP server tested lists a resource without an address, which is left out",
      "the MCP server tested lists 2 resources named a://1; the first is used",
    ]);
    expect(await bench.connection.readResource("a://1")).toStrictEqual([{ type: "text", text: "[Resource a://1]\nx" }]);
  });

  test("of prompts leaves out a bad one alone, with a warning", async () => {
    const prompts = [
      { name: "p", title: null, description: null, arguments: null, icons: null },
      { name: "q", arguments: [{ name: "n", description: null, required: null }, {}, { name: "m", required: "true" }] },
      { description: "nameless" },
    ];
    await using server = await oddLineServer({
      initialize,
      "prompts/list": (id) => answer(id, { prompts }),
      "prompts/get": (id) =>
        answer(id, {
          description: null,
          messages: [
            { role: "system", content: "x" },
            { role: "user", content: [text("y"), text("z")] },
          ],
        }),
    });
    await using bench = lineBench(server);
    expect(await bench.connection.prompts()).toStrictEqual([
      { name: "p", arguments: [] },
      {
        name: "q",
        arguments: [
          { name: "n", required: false },
          { name: "m", required: true },
        ],
      },
    ]);
    expect(bench.warnings).toStrictEqual(["the MCP server tested lists a prompt without a name, which is left out"]);
    expect(await bench.connection.prompt("p", {})).toBe("x\n\ny\n\nz");
  });

  test("that the server does not know is empty", async () => {
    await using server = await oddLineServer({ initialize });
    await using bench = lineBench(server);
    expect(await bench.connection.resources()).toStrictEqual([]);
    expect(await bench.connection.prompts()).toStrictEqual([]);
  });

  test("of tools that are not declared is waited for a short time", async () => {
    await using server = await oddLineServer({
      initialize: (id) => answer(id, { protocolVersion: "2025-11-25", capabilities: {} }),
      "tools/list": () => undefined,
    });
    await using bench = lineBench(server);
    await bench.connection.connect();
    expect(bench.connection.state).toEqual({ type: "connected" });
    expect(namesOf(bench)).toStrictEqual([]);
  });
});

test("a server that is slow to start answers what was asked before the handshake late, and once", async () => {
  let late: unknown;
  await using server = await oddLineServer({
    "server/discover": (id) => {
      late = id;
    },
    initialize: (id, { protocolVersion }) => {
      const refusal = { jsonrpc: "2.0", id: late, error: { code: -32601, message: "Method not found" } };
      const result = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "odd", version: "1" } };
      return [refusal, answer(id, result)].map((each) => `${JSON.stringify(each)}\n`).join("");
    },
  });
  await using bench = lineBench(server);
  await bench.connection.connect();
  expect(namesOf(bench)).toStrictEqual(["echo", "other"]);
  expect(server.received.filter(({ method }) => method === "initialize")).toHaveLength(1);
});

describe("what a server asks", () => {
  test.each(TRANSPORTS.slice(0, 1))("is answered over %s, whichever it is", async (_name, serve, benchOf) => {
    const asked = (id: unknown, method: string, params?: unknown): string =>
      `${JSON.stringify({ jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) })}\n`;
    await using server = await serve({
      "tools/call": (id) =>
        [
          asked("a", "tasks/unknown", null),
          asked("b", "ping", null),
          asked("c", "elicitation/create", null),
          asked("d", "sampling/createMessage", { messages: null }),
          asked(null, "notifications/tools/list_changed", null),
          asked("e", "notifications/message", { level: "info", data: null, logger: null }),
          asked(7, "notifications/progress", { progressToken: 99, progress: 1, total: null }),
          `${JSON.stringify(answer(id, { content: [text("x")] }))}\n`,
        ].join(""),
    });
    await using bench = benchOf(server);
    expect(textOf(await bench.call("echo"))).toBe("x");
    await eventually(() => expect(server.received.filter(({ method }) => method === undefined)).toHaveLength(4));
    const answers = server.received.filter(({ method }) => method === undefined);
    const codes = answers.map(({ id, error }) => [id, Object(error).code]);
    expect(codes.toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toStrictEqual([
      ["a", -32601],
      ["b", undefined],
      ["c", -32601],
      ["d", -32601],
    ]);
  });

  test("is understood with null instead of what may be absent", async () => {
    const questions: McpQuestion[] = [];
    const requestedSchema = {
      type: "object",
      title: null,
      properties: { name: { type: "string", title: null, description: null, default: null, enum: null } },
      required: null,
    };
    let call: unknown;
    await using server = await oddLineServer({
      "tools/call": (id) => {
        call = id;
        const params = { mode: null, message: "Who?", requestedSchema, _meta: null };
        return { jsonrpc: "2.0", id: "q", method: "elicitation/create", params };
      },
    });
    await using bench = mcpBench(
      { transport: "tcp", url: server.url },
      {
        ...LIMITS,
        onQuestion: async (question) => {
          questions.push(question);
          return { action: "decline" };
        },
      },
    );
    const called = bench.call("echo").catch(() => {});
    await eventually(() => server.received.some(({ id, method }) => id === "q" && method === undefined));
    expect(questions).toMatchObject([{ type: "form", message: "Who?" }]);
    expect(server.received.find(({ id }) => id === "q")).toMatchObject({ result: { action: "decline" } });
    expect(call).toBeDefined();
    await bench.connection.close();
    await called;
  });
});
