import { describe, expect, test } from "bun:test";
import { methods } from "@agentclientprotocol/sdk";
import { asking, BOTH } from "../../support/acp-client-servers.ts";
import { requestsOf } from "../../support/acp-editor.ts";
import { eventually } from "../../support/eventually.ts";

describe("the MCP servers of a client", () => {
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
});
