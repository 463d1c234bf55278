import { expect, test } from "bun:test";
import * as library from "@modelcontextprotocol/server";
import fc from "fast-check";
import { randomCases } from "../../../test/support/random-cases.ts";
import { MessageLines } from "./transports/message-lines.ts";
import { ServerMessages } from "./transports/server-messages.ts";

/** Members that servers get wrong, with values that they have in the world. */
const ODD = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    "",
    "true",
    "1",
    0,
    -1,
    1.5,
    [],
    {},
    [null],
    [{}],
    ["x"],
    { type: "text" },
    { a: null },
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

const part = fc.record(
  {
    type: fc.oneof(fc.constantFrom("text", "image", "audio", "resource", "resource_link", "json"), ODD),
    text: fc.oneof(fc.string(), ODD),
    data: fc.oneof(fc.base64String(), ODD),
    mimeType: fc.oneof(fc.constantFrom("image/png", "audio/wav"), ODD),
    resource: fc.oneof(fc.record({ uri: fc.oneof(fc.webUrl(), ODD), text: ODD, blob: ODD }, { requiredKeys: [] }), ODD),
    uri: ODD,
    name: ODD,
    annotations: ODD,
    _meta: ODD,
  },
  { requiredKeys: [] },
);

const tool = fc.record(
  {
    name: fc.oneof(fc.string(), ODD),
    description: ODD,
    inputSchema: fc.oneof(
      fc.record({ type: fc.oneof(fc.constant("object"), ODD), properties: ODD, required: ODD }, { requiredKeys: [] }),
      ODD,
    ),
    outputSchema: ODD,
    annotations: ODD,
    icons: ODD,
    execution: ODD,
  },
  { requiredKeys: [] },
);

/** Results by the methods that they answer. */
const RESULTS = {
  initialize: fc.record(
    { protocolVersion: ODD, capabilities: ODD, serverInfo: ODD, instructions: ODD, _meta: ODD },
    { requiredKeys: [] },
  ),
  "tools/list": fc.record(
    { tools: fc.oneof(fc.array(fc.oneof(tool, ODD)), tool, ODD), nextCursor: ODD, _meta: ODD },
    { requiredKeys: [] },
  ),
  "tools/call": fc.record(
    { content: fc.oneof(fc.array(fc.oneof(part, ODD)), part, ODD), isError: ODD, structuredContent: ODD, _meta: ODD },
    { requiredKeys: [] },
  ),
  "resources/list": fc.record({ resources: fc.oneof(fc.array(ODD), ODD), nextCursor: ODD }, { requiredKeys: [] }),
  "resources/read": fc.record({ contents: fc.oneof(fc.array(ODD), part, ODD) }, { requiredKeys: [] }),
  "prompts/list": fc.record({ prompts: fc.oneof(fc.array(tool), ODD), nextCursor: ODD }, { requiredKeys: [] }),
  "prompts/get": fc.record(
    { messages: fc.oneof(fc.array(fc.record({ role: ODD, content: fc.oneof(part, ODD) }, { requiredKeys: [] })), ODD) },
    { requiredKeys: [] },
  ),
};

/** The types of the library that say whether a client may see a result. */
const TYPES = {
  initialize: library.isSpecType.InitializeResult,
  "tools/list": library.isSpecType.ListToolsResult,
  "tools/call": library.isSpecType.CallToolResult,
  "resources/list": library.isSpecType.ListResourcesResult,
  "resources/read": library.isSpecType.ReadResourceResult,
  "prompts/list": library.isSpecType.ListPromptsResult,
  "prompts/get": library.isSpecType.GetPromptResult,
};

const METHODS = [
  "initialize",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
] as const;

const newMessages = (): ServerMessages => new ServerMessages({ library, usesHeaders: () => true, onWarning: () => {} });

test.each([...METHODS])("an odd result of %s is one that the client can read, however odd", (method) => {
  fc.assert(
    fc.property(RESULTS[method], (result) => {
      const messages = newMessages();
      const params = method === "initialize" ? { protocolVersion: "2025-11-25" } : {};
      messages.sent({ jsonrpc: "2.0", id: 5, method, params });
      const [message, ...more] = messages.received(JSON.parse(JSON.stringify({ jsonrpc: "2.0", id: 5, result })));
      expect(more).toStrictEqual([]);
      expect(message).toMatchObject({ id: 5, result: {} });
      const read: unknown = message && "result" in message ? message.result : undefined;
      expect(TYPES[method](read)).toBe(true);
      expect(messages.waits(5)).toBe(false);
    }),
    randomCases(500),
  );
});

test("an odd message ends the request that it names, or is none, and the next good one is read", () => {
  const message = fc.record(
    {
      jsonrpc: fc.oneof(fc.constant("2.0"), ODD),
      id: fc.oneof(fc.constantFrom(5, "5"), ODD),
      method: fc.oneof(fc.constantFrom("ping", "notifications/progress", "elicitation/create"), ODD),
      params: ODD,
      result: ODD,
      error: fc.oneof(fc.record({ code: ODD, message: ODD, data: ODD }, { requiredKeys: [] }), ODD),
      extra: ODD,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(message, ODD), fc.integer({ min: 0, max: 300 }), (odd, cut) => {
      const messages = newMessages();
      messages.sent({ jsonrpc: "2.0", id: 5, method: "tools/call", params: { name: "a" } });
      const lines = new MessageLines({ messages, onWarning: () => {} });
      const text = JSON.stringify(odd) ?? "";
      const read = [
        text,
        text.slice(0, cut),
        JSON.stringify({ jsonrpc: "2.0", id: 5, result: { content: "x" } }),
      ].flatMap((line) => lines.messagesOf({ type: "line", text: line }));
      expect(read.filter((each) => "id" in each && each.id === 5 && !("method" in each))).toHaveLength(1);
      expect(messages.waits(5)).toBe(false);
    }),
    randomCases(500),
  );
});
