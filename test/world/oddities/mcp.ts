import { documentResponse, type McpScript, type OddHttp } from "../odd-mcp-server.ts";
import type { Recorded } from "../oddity.ts";

/** What an MCP server does, and what must come of it. */
export interface McpOddity extends Recorded {
  readonly script: McpScript;
  /** What stands on its output before everything else; over stdio alone. */
  readonly banner?: string;
  /** How it speaks HTTP; over HTTP alone. */
  readonly http?: OddHttp;
  readonly expected: {
    /** The names of the tools that are there. */
    readonly tools?: readonly string[];
    /** What the texts of a call of `echo` with `{"a": 1}` have; an error begins with "error: ". */
    readonly called?: string;
    readonly resources?: readonly string[];
    readonly prompts?: readonly string[];
    /** Texts that warnings have. */
    readonly warns?: readonly string[];
    /** Texts of the reason why it did not connect. */
    readonly fails?: readonly string[];
  };
}

const object = { type: "object", properties: {} };
const echo = { name: "echo", inputSchema: object };
const ECHOED = '{"a":1}';

/** Everything works. */
const works = { tools: ["echo"], called: ECHOED } as const;

/** The tools that a server lists. */
const lists = (...tools: readonly unknown[]): McpScript => ({ "tools/list": { tools } });

/** What a call gives. */
const gives = (result: unknown): McpScript => ({ "tools/call": result });

const text = (words: string, rest: object = {}): object => ({ type: "text", text: words, ...rest });

const nulls: readonly McpOddity[] = [
  {
    name: "`nextCursor: null`",
    seen: "https://github.com/gensecaihq/Wazuh-MCP-Server/issues/75",
    script: { "tools/list": { tools: [echo], nextCursor: null } },
    expected: works,
  },
  {
    name: "an empty cursor ends, or repeats, but never goes on for ever",
    seen: "https://github.com/modelcontextprotocol/java-sdk/issues/628",
    script: { "tools/list": { tools: [echo], nextCursor: "" } },
    expected: works,
  },
  {
    name: "`_meta: null` of a result of tools",
    seen: "https://github.com/Apicurio/apicurio-registry/pull/6899",
    script: { "tools/list": { tools: [echo], _meta: null } },
    expected: works,
  },
  {
    name: "Kotlin: `_meta: null` of the greeting, and of every result",
    seen: "https://github.com/modelcontextprotocol/kotlin-sdk/issues/581",
    script: {
      initialize: {
        ...{ protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "k", version: "1" } },
        _meta: null,
      },
      "tools/call": { content: [text("ok")], _meta: null, isError: null, structuredContent: null },
    },
    expected: { tools: ["echo"], called: "ok" },
  },
  {
    name: "C#: `annotations: null` and `_meta: null` of content",
    seen: "https://github.com/Azure/data-api-builder/issues/3599",
    script: gives({ content: [text("ok", { annotations: null, _meta: null })] }),
    expected: { called: "ok" },
  },
  {
    name: "Go: `structuredContent: null`",
    seen: "https://github.com/modelcontextprotocol/go-sdk/pull/418",
    script: gives({ content: [text("ok")], structuredContent: null }),
    expected: { called: "ok" },
  },
  {
    name: "`isError: null` is no error",
    seen: "https://github.com/modelcontextprotocol/kotlin-sdk/issues/581",
    script: gives({ content: [text("ok")], isError: null }),
    expected: { called: "ok" },
  },
  {
    name: "capabilities, instructions and the version are null",
    seen: "https://github.com/asciimoo/hister/issues/363",
    script: {
      initialize: {
        ...{ protocolVersion: "2025-06-18", capabilities: { tools: {}, resources: null, prompts: null } },
        ...{ serverInfo: { name: "h", version: null, title: null }, instructions: null },
      },
    },
    expected: works,
  },
  {
    name: "hister: no version",
    seen: "https://github.com/asciimoo/hister/issues/363",
    script: { initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "h" } } },
    expected: works,
  },
  {
    name: "`capabilities: {}` of a server that has tools",
    seen: "https://github.com/modelcontextprotocol/ruby-sdk/issues/12",
    script: {
      initialize: { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "r", version: "1" } },
    },
    expected: works,
  },
  {
    name: "a tool whose optional parts are null",
    seen: "https://github.com/modelcontextprotocol/kotlin-sdk/issues/581",
    script: lists({
      ...echo,
      description: null,
      title: null,
      annotations: null,
      outputSchema: null,
      icons: null,
      _meta: null,
    }),
    expected: works,
  },
  {
    name: "hints that are null",
    seen: "https://github.com/modelcontextprotocol/kotlin-sdk/issues/581",
    script: lists({ ...echo, annotations: { title: null, readOnlyHint: null, idempotentHint: null } }),
    expected: works,
  },
];

const lists_: readonly McpOddity[] = [
  {
    name: "`required: null` of one tool",
    seen: "https://github.com/anthropics/claude-code/issues/44364",
    script: lists(echo, { name: "odd", inputSchema: { type: "object", properties: {}, required: null } }),
    expected: { tools: ["echo", "odd"], called: ECHOED },
  },
  {
    name: "`inputSchema: null` of one tool",
    seen: "https://github.com/IvanMurzak/Unity-MCP/issues/440",
    script: lists(echo, { name: "odd", inputSchema: null }),
    expected: { tools: ["echo", "odd"], called: ECHOED },
  },
  {
    name: "no schema of one tool",
    seen: "https://github.com/mastra-ai/mastra/issues/21859",
    script: lists(echo, { name: "odd" }),
    expected: { tools: ["echo", "odd"], called: ECHOED },
  },
  {
    name: "`properties: null` of one tool",
    seen: "https://github.com/anthropics/claude-code/issues/44364",
    script: lists(echo, { name: "odd", inputSchema: { type: "object", properties: null } }),
    expected: { tools: ["echo", "odd"], called: ECHOED },
  },
  {
    name: "a root of `anyOf` without a type",
    seen: "https://github.com/anthropics/claude-code/issues/88049",
    script: lists(echo, { name: "odd", inputSchema: { anyOf: [{ type: "object" }] } }),
    expected: { tools: ["echo", "odd"], called: ECHOED },
  },
  {
    name: "an output schema that is none",
    seen: "https://github.com/ThinkInAIXYZ/deepchat/pull/2075",
    script: lists({ ...echo, outputSchema: { type: "object", properties: { a: { type: "nonsense" } } } }),
    expected: works,
  },
  {
    name: "a tool that is null, and one without a name",
    seen: "https://github.com/mastra-ai/mastra/issues/21859",
    script: lists(echo, null, { inputSchema: object }),
    expected: { ...works, warns: ["tool"] },
  },
  {
    name: "`type: int` in one schema",
    seen: "https://github.com/Kuadrant/mcp-gateway/pull/689",
    script: lists(echo, { name: "odd", inputSchema: { type: "object", properties: { a: { type: "int" } } } }),
    expected: { tools: ["echo", "odd"], called: ECHOED },
  },
  {
    name: "a second page that fails: the first stays, with a warning",
    seen: "https://github.com/neomjs/neo/issues/8201",
    script: {
      "tools/list": [
        { tools: [echo], nextCursor: "2" },
        '{"jsonrpc":"2.0","id":$id,"error":{"code":-32603,"message":"Internal error"}}',
      ],
    },
    expected: { ...works, warns: ["tools"] },
  },
  {
    name: "a cursor that never ends: what came stays, with a warning",
    seen: "https://github.com/affaan-m/ECC/pull/2869",
    script: { "tools/list": { tools: [echo], nextCursor: "again" } },
    expected: { ...works, warns: ["tools"] },
  },
  {
    name: "a resource without a uri beside a good one",
    seen: "https://github.com/aberemia24/code-executor-MCP/issues/74",
    script: {
      initialize: {
        protocolVersion: "2025-06-18",
        capabilities: { resources: {}, tools: {} },
        serverInfo: { name: "r", version: "1" },
      },
      "resources/list": {
        resources: [{ name: "bad" }, { uri: "a://b", name: "good", description: null, mimeType: null }],
        nextCursor: null,
      },
    },
    expected: { resources: ["good"] },
  },
  {
    name: "a prompt without a name beside a good one, whose arguments are null",
    seen: "https://github.com/neomjs/neo/issues/8201",
    script: {
      initialize: {
        protocolVersion: "2025-06-18",
        capabilities: { prompts: {}, tools: {} },
        serverInfo: { name: "p", version: "1" },
      },
      "prompts/list": { prompts: [{ description: "bad" }, { name: "good", arguments: null }], nextCursor: null },
    },
    expected: { prompts: ["good"] },
  },
];

const results: readonly McpOddity[] = [
  {
    name: "Cloudflare: no content",
    seen: "https://github.com/cloudflare/mcp-server-cloudflare/issues/12",
    script: gives({ toolResult: { content: [] } }),
    expected: { called: "" },
  },
  {
    name: "`content: null` beside structured content",
    seen: "https://github.com/cloudflare/mcp-server-cloudflare/issues/12",
    script: gives({ content: null, structuredContent: { b: 2 } }),
    expected: { called: '{"b":2}' },
  },
  {
    name: "content that is a text",
    seen: "https://github.com/cloudflare/mcp-server-cloudflare/issues/12",
    script: gives({ content: "ok" }),
    expected: { called: "ok" },
  },
  {
    name: "content that is one part",
    seen: "https://github.com/cloudflare/mcp-server-cloudflare/issues/12",
    script: gives({ content: text("ok") }),
    expected: { called: "ok" },
  },
  {
    name: "Unpaywall: a part of the type `json`",
    seen: "https://github.com/ElliotPadfield/unpaywall-mcp/issues/4",
    script: gives({ content: [{ type: "json", json: { b: 2 } }] }),
    expected: { called: '{"type":"json","json":{"b":2}}' },
  },
  {
    name: "a part of the type `error`",
    seen: "https://github.com/QuantGeekDev/mcp-framework/pull/130",
    script: gives({ content: [{ type: "error", text: "Invalid number" }] }),
    expected: { called: "Invalid number" },
  },
  {
    name: "a text that is null",
    seen: "https://github.com/Azure/data-api-builder/issues/3599",
    script: gives({ content: [text("ok"), { type: "text", text: null }] }),
    expected: { called: "ok" },
  },
  {
    name: "an error of the protocol",
    seen: "https://github.com/weaviate/weaviate/pull/12822",
    script: gives('{"jsonrpc":"2.0","id":$id,"error":{"code":-32602,"message":"Invalid params","data":null}}'),
    expected: { called: "error: Invalid params" },
  },
  {
    name: "an error without a code",
    seen: "https://github.com/quarkusio/quarkus/pull/56017",
    script: gives('{"jsonrpc":"2.0","id":$id,"error":{"message":"Broken"}}'),
    expected: { called: "error: Broken" },
  },
  {
    name: "an error that is a text",
    seen: "https://github.com/quarkusio/quarkus/pull/56017",
    script: gives('{"jsonrpc":"2.0","id":$id,"error":"Broken"}'),
    expected: { called: "error: Broken" },
  },
  {
    name: "a result and `error: null`",
    seen: "https://github.com/modelcontextprotocol/kotlin-sdk/issues/581",
    script: gives('{"jsonrpc":"2.0","id":$id,"result":{"content":[{"type":"text","text":"ok"}]},"error":null}'),
    expected: { called: "ok" },
  },
  {
    name: "no `jsonrpc`",
    seen: "https://github.com/modelcontextprotocol/kotlin-sdk/issues/581",
    script: gives('{"id":$id,"result":{"content":[{"type":"text","text":"ok"}]}}'),
    expected: { called: "ok" },
  },
  {
    name: "an id that comes back as a text",
    seen: "https://github.com/modelcontextprotocol/python-sdk/pull/1720",
    script: gives('{"jsonrpc":"2.0","id":"$id","result":{"content":[{"type":"text","text":"ok"}]}}'),
    expected: { called: "ok" },
  },
  {
    name: "a result that is null fails at once",
    seen: "https://github.com/modelcontextprotocol/kotlin-sdk/issues/581",
    script: gives('{"jsonrpc":"2.0","id":$id,"result":null}'),
    expected: { tools: ["echo"] },
  },
];

const stdio: readonly McpOddity[] = [
  {
    name: "Auth0: a notice before the greeting",
    seen: "https://github.com/auth0/auth0-mcp-server/issues/161",
    script: {},
    banner: '{"method":"notifications/message","params":{"level":"info","data":"Server running"},"jsonrpc":"2.0"}\n',
    expected: works,
  },
  {
    name: "a log on its output",
    seen: "https://github.com/auth0/auth0-mcp-server/issues/161",
    script: {},
    banner: "[INFO:server] Starting\n\n",
    expected: works,
  },
  {
    name: "a mark of byte order, and carriage returns",
    seen: "https://github.com/DeusData/codebase-memory-mcp/pull/1424",
    script: {
      initialize:
        '\ufeff{"jsonrpc":"2.0","id":$id,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"w","version":"1"}}}\r',
    },
    expected: works,
  },
];

const stream = (line: string, ending = "\n"): Response =>
  new Response(`event: message\ndata: ${line}\n\n`.replaceAll("\n", ending), {
    headers: { "content-type": "text/event-stream" },
  });

const http: readonly McpOddity[] = [
  {
    name: "answers as a stream",
    seen: "https://github.com/modelcontextprotocol/python-sdk/issues/961",
    script: {},
    http: { respond: (line) => stream(line) },
    expected: works,
  },
  {
    name: "a stream with carriage returns, comments and ids",
    seen: "https://github.com/modelcontextprotocol/python-sdk/issues/961",
    script: {},
    http: { respond: (line) => stream(`${line}`, "\r\n") },
    expected: works,
  },
  {
    name: "a document under `application/json; charset=utf-8`",
    seen: "https://github.com/j0hanz/filesystem-mcp/issues/6",
    script: {},
    http: { respond: (line) => new Response(line, { headers: { "content-type": "application/json; charset=utf-8" } }) },
    expected: works,
  },
  {
    name: "200 and a body for what wants no answer",
    seen: "https://github.com/Jefferson49/webtrees-API/issues/27",
    script: {},
    http: {
      accepted: () =>
        documentResponse('{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}'),
    },
    expected: works,
  },
  {
    name: "GET gives a web page",
    seen: "https://github.com/asciimoo/hister/issues/691",
    script: {},
    http: { get: () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } }) },
    expected: works,
  },
  {
    name: "GET gives 200 and an error as JSON",
    seen: "https://github.com/Jefferson49/webtrees-API/issues/27",
    script: {},
    http: {
      get: () => documentResponse('{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}'),
    },
    expected: works,
  },
  {
    name: "GET gives 400 in place of 405",
    seen: "https://github.com/punkpeye/mcp-proxy/pull/62",
    script: {},
    http: { get: () => new Response("No sessionId", { status: 400 }) },
    expected: works,
  },
  {
    name: "GET gives 404",
    seen: "https://github.com/cap-js/mcp/pull/36",
    script: {},
    http: { get: () => new Response("Cannot GET /mcp", { status: 404 }) },
    expected: works,
  },
  {
    name: "a web page for the greeting names what came",
    seen: "https://github.com/asciimoo/hister/issues/691",
    script: {},
    http: { respond: () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } }) },
    expected: { fails: ["text/html"] },
  },
];

/** What MCP servers do over each transport. */
export const mcpOddities: readonly McpOddity[] = [...nulls, ...lists_, ...results];

/** What they do over one alone. */
export const stdioOddities: readonly McpOddity[] = stdio;
export const httpOddities: readonly McpOddity[] = http;
