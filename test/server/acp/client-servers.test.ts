import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type CreateElicitationRequest, type McpServer, methods, RequestError } from "@agentclientprotocol/sdk";
import { acpEditor, choosing, requestsOf } from "../../support/acp-editor.ts";
import { wireProblems } from "../../support/acp-schema.ts";
import { writeText } from "../../support/agent-files.ts";
import { eventually } from "../../support/eventually.ts";
import { bareServer } from "../../support/mcp-server-file.ts";

/** A server whose tool asks for a name, or to open an address, and says what it was answered; with a variable of its own. */
const ASKING = bareServer(`
let call;
const ask = (params) => (id) => {
  call = id;
  send({ id: "q1", method: "elicitation/create", params });
};
const form = { type: "object", properties: { name: { type: "string", title: "Name" } }, required: ["name"] };
handlers["tools/call"] = (id, params) => {
  if (params.name === "greet") ask({ message: "Who?", requestedSchema: form })(id);
  else ask({ mode: "url", message: "Pay", elicitationId: "e1", url: "https://example.com/pay" })(id);
};
tools = ["greet", "pay"].map((name) => ({ name, inputSchema: { type: "object" } }));
process.stdin.on("data", (data) => {
  for (const line of String(data).split("\\n").filter(Boolean)) {
    const { id, method, result } = JSON.parse(line);
    if (method === undefined && id === "q1") text(call, process.env.GREETING + " " + JSON.stringify(result));
  }
});`);

const calling = (tool: string) => [
  { calls: [{ id: "1", name: `mcp__ask-me__${tool}`, arguments: {} }] },
  { text: "Done." },
];

interface Asking {
  readonly capabilities?: object;
  readonly tool?: string;
  readonly elicitation?: (
    asked: CreateElicitationRequest,
  ) => Promise<{ action: "accept"; content?: { name: string } } | { action: "decline" }>;
}

async function asking({ capabilities = {}, tool = "greet", elicitation }: Asking) {
  const editor = await acpEditor({
    ...{ capabilities, permission: choosing("yes"), replies: calling(tool) },
    ...(elicitation !== undefined && { elicitation }),
  });
  const file = join(editor.parts.home, "server.mjs");
  writeText(file, ASKING);
  const server: McpServer = {
    name: "ask me",
    command: process.execPath,
    args: [file],
    env: [{ name: "GREETING", value: "Dear" }],
  };
  const { sessionId } = await editor.open({ mcpServers: [server] });
  return { editor, server, sessionId, [Symbol.asyncDispose]: () => editor[Symbol.asyncDispose]() };
}

const BOTH = { elicitation: { form: {}, url: {} } };

describe("the MCP servers of a client", () => {
  test("have tools, and ask the user by a form of the client", async () => {
    await using run = await asking({
      capabilities: BOTH,
      elicitation: async () => ({ action: "accept", content: { name: "Ada" } }),
    });
    const { editor, sessionId } = run;
    expect(await editor.say(sessionId, "Greet.")).toStrictEqual({ stopReason: "end_turn" });
    expect(requestsOf(editor, methods.client.elicitation.create)).toMatchObject([
      { sessionId, mode: "form", message: "ask-me: Who?", requestedSchema: { required: ["name"] } },
    ]);
    const [result] = editor.of(sessionId, "tool_call_update").filter(({ status }) => status === "completed");
    expect(JSON.stringify(result?.content)).toContain(
      'Dear {\\"action\\":\\"accept\\",\\"content\\":{\\"name\\":\\"Ada\\"}}'.replaceAll("\\\\", "\\"),
    );
    expect(wireProblems(editor.parts.wire)).toStrictEqual([]);
  });

  test("send the user to an address, and say when that is done", async () => {
    await using run = await asking({
      capabilities: BOTH,
      tool: "pay",
      elicitation: async () => ({ action: "accept" }),
    });
    const { editor, sessionId } = run;
    await editor.say(sessionId, "Pay.");
    expect(requestsOf(editor, methods.client.elicitation.create)).toMatchObject([
      { mode: "url", url: "https://example.com/pay" },
    ]);
    await eventually(() => requestsOf(editor, methods.client.elicitation.complete).length > 0);
  });

  test("are declined if the client shows no forms, or the user does", async () => {
    for (const more of [{}, { capabilities: BOTH, elicitation: async () => ({ action: "decline" }) as const }]) {
      await using run = await asking(more);
      const { editor, sessionId } = run;
      await editor.say(sessionId, "Greet.");
      const results = editor.of(sessionId, "tool_call_update").flatMap(({ content }) => content ?? []);
      expect(JSON.stringify(results)).toMatch(/decline|cancel/);
      expect(requestsOf(editor, methods.client.elicitation.create)).toHaveLength("capabilities" in more ? 1 : 0);
    }
  });

  test("get names that tools can carry, and an invalid one is refused", async () => {
    await using run = await asking({});
    const { editor, server } = run;
    await editor.open({ mcpServers: [server, server] });
    const wrong: McpServer = { type: "http", name: "x", url: "no address", headers: [] };
    const error = await editor.open({ mcpServers: [wrong] }).catch((thrown: unknown) => thrown);
    expect(error instanceof RequestError && error.code).toBe(-32602);
  });
});
