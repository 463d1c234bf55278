import { describe, expect, test } from "bun:test";
import { type McpServer, methods, RequestError } from "@agentclientprotocol/sdk";
import { asking, BOTH } from "../../support/acp-client-servers.ts";
import { requestsOf } from "../../support/acp-editor.ts";
import { wireProblems } from "../../support/acp-schema.ts";

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

  test("get names that tools can carry, and an invalid one is refused", async () => {
    await using run = await asking({});
    const { editor, server } = run;
    await editor.open({ mcpServers: [server, server] });
    const wrong: McpServer = { type: "http", name: "x", url: "no address", headers: [] };
    const error = await editor.open({ mcpServers: [wrong] }).catch((thrown: unknown) => thrown);
    expect(error instanceof RequestError && error.code).toBe(-32602);
  });
});
