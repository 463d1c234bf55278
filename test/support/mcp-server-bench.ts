import type { McpConnectionOptions } from "@mdx-ai/mcp";
import type { McpAgent } from "./mcp-agent.ts";
import { type McpBench, mcpBench } from "./mcp-bench.ts";
import type { Reply } from "./replies.ts";
import { TOKEN } from "./served-agent.ts";

/** Our own client, connected to a served agent. */
export const clientOf = ({ server }: McpAgent, options: Partial<McpConnectionOptions> = {}): McpBench =>
  mcpBench({ transport: "http", url: server.url, headers: { Authorization: `Bearer ${TOKEN}` } }, options);

/** A reply that makes a file by a command, which the user must allow. */
export const WRITE: Reply = { calls: [{ id: "c1", name: "bash", arguments: { command: "touch made.txt" } }] };

/** Sends one request of the newest revision. */
export async function ask(
  { server }: McpAgent,
  method: string,
  headers: Readonly<Record<string, string>> = {},
  params: Readonly<Record<string, unknown>> = {},
): Promise<Response> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return fetch(server.url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${TOKEN}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": REVISION,
      "mcp-method": method,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
}

/** The newest revision. */
const REVISION = "2026-07-28";
