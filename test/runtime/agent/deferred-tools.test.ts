import { expect, test } from "bun:test";
import type { AgentTool } from "@mdx-ai/loop";
import { agentDirectory } from "../../support/agent-directory.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { wireServer } from "../../support/wire-server.ts";

const AGENT = "---\ntools: {deferred: true}\ncontext: {messages: 100}\n---\n# Agent: A\n\n## Purpose\n\nHelps.\n";

/** The tool of an MCP server, which the model has to look for. */
const brew: AgentTool = {
  name: "mcp.tea.brew",
  description: "Brews a pot of tea.",
  parameters: { type: "object", properties: { cups: { type: "integer" } }, required: ["cups"] },
  execute: async ({ cups }) => ({ content: [{ type: "text", text: `brewed ${cups}` }], isError: false }),
};

const call = (id: string, name: string, input: unknown) => ({ parts: [{ id, name, json: [JSON.stringify(input)] }] });

test.each(["anthropic", "openai", "responses"] as const)(
  "calls of deferred tools are valid over %s: as they are made, in the next prompt, and beside a summary",
  async (wire) => {
    using directory = agentDirectory({ "agent.mdx": AGENT });
    const use = (id: string, cups: unknown) => call(id, "use_tool", { name: "mcp_tea_brew", arguments: { cups } });
    using server = wireServer(
      wire,
      call("c1", "tool_search", { query: "brew tea" }),
      use("c2", 3),
      { parts: [{ text: ["One."] }] },
      use("c3", "4"),
      { parts: [{ text: ["Two."] }] },
      { parts: [{ text: ["They drank tea."] }] },
      use("c4", 5),
      { parts: [{ text: ["Three."] }] },
    );
    const agent = await openScriptAgent(directory.path, [], {
      model: await server.open(),
      tools: [{ origin: "mcp:tea", tools: () => [brew] }],
    });
    const session = agent.session();
    const called: string[] = [];
    for (const text of ["first", "second", "compact", "third"]) {
      if (text === "compact") {
        expect(await session.compact()).toBeDefined();
        continue;
      }
      for await (const event of session.prompt(`${text} ${"of tea. ".repeat(2_000)}`)) {
        if (event.type === "tool_execution_end")
          called.push(`${event.toolName} ${JSON.stringify(event.result.content)}`);
        if (event.type === "agent_end") expect(event.outcome).toBe("done");
      }
    }
    await agent.close();
    expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual(Array(8).fill(undefined));
    expect(called.slice(1)).toStrictEqual(
      [3, 4, 5].map((cups) => `mcp.tea.brew [{"type":"text","text":"brewed ${cups}"}]`),
    );
    const [, , second = "", , third = "", summary = "", , last = ""] = server.requests.map(({ text }) => text);
    for (const text of [second, third, last]) {
      expect(text).toContain("use_tool");
      expect(text).not.toContain('"name":"mcp_tea_brew","arguments":"');
    }
    expect(summary).toContain("mcp_tea_brew");
    expect(last).toContain("They drank tea.");
  },
);
