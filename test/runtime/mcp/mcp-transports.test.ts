import { expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import type { Message } from "@mdx-ai/models";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { agentDirectory } from "../../support/agent-directory.ts";
import { agentWithServers } from "../../support/mcp-server-file.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const resultsIn = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) =>
    message.role === "toolResult" ? message.content.map((block) => (block.type === "text" ? block.text : "")) : [],
  );

/** The result of a call of `greet` of the server that the line under `mcp:` declares. */
async function called(line: string, environment: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  using directory = agentDirectory({ "agent.mdx": agentWithServers(line) });
  const replies = [{ calls: [{ id: "1", name: "mcp_there_greet", arguments: { name: "tea" } }] }, { text: "Done." }];
  const agent = await openScriptAgent(directory.path, replies, {
    permissions: { allow: ["mcp.*"] },
    environment: { ...process.env, ...environment },
  });
  try {
    await Array.fromAsync(agent.session().prompt("Greet"));
    return resultsIn(await agent.session().messages());
  } finally {
    await agent.close();
  }
}

const TOOL = {
  name: "greet",
  description: "Greets.",
  inputSchema: { type: "object" as const, properties: { name: { type: "string" as const } } },
};

/** A server that speaks lines of JSON over a plain connection. */
function lineServer(): Server {
  return createServer((socket) => {
    let rest = "";
    socket.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const { id, method, params } = JSON.parse(line);
        const results: Readonly<Record<string, () => object>> = {
          initialize: () => ({
            protocolVersion: params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: "lines", version: "1" },
          }),
          "tools/list": () => ({ tools: [TOOL] }),
          "tools/call": () => ({ content: [{ type: "text", text: `Hello ${params.arguments.name}` }] }),
        };
        const result = results[method]?.();
        const answer = result ? { result } : { error: { code: -32601, message: "no such method" } };
        if (id !== undefined) socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
      }
    });
  });
}

test("a server on a TCP port is called", async () => {
  const server = lineServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  expect(await called(`  there: {url: "tcp://127.0.0.1:${port}"}\n`)).toStrictEqual(["Hello tea"]);
  server.close();
});

test("a server over HTTP is called, with headers that hold the user's variables", async () => {
  const seen = new Set<string | null>();
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "there", version: "1" });
    const inputSchema = fromJsonSchema<{ name: string }>(TOOL.inputSchema);
    server.registerTool("greet", { description: "Greets.", inputSchema }, async ({ name }) => ({
      content: [{ type: "text", text: `Hello ${name}` }],
    }));
    return server;
  });
  using server = Bun.serve({
    port: 0,
    fetch: (request) => {
      seen.add(request.headers.get("authorization"));
      return handler.fetch(request);
    },
  });
  const headers = 'headers: {Authorization: "Bearer ${TEA_TOKEN}"}';
  const results = await called(`  there: {url: "http://127.0.0.1:${server.port}/mcp", ${headers}}\n`, {
    TEA_TOKEN: "t0ken-of-tea",
  });
  expect(results).toStrictEqual(["Hello tea"]);
  expect([...seen]).toStrictEqual(["Bearer t0ken-of-tea"]);
});
