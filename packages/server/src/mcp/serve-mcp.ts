import type { Readable, Writable } from "node:stream";
import { whenAborted } from "@mdx-ai/base";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { AgentServerParts } from "./agent-parts.ts";
import { agentServers } from "./agent-server.ts";

export interface McpServerOptions extends AgentServerParts {
  /** What the client sends, and what it receives. */
  readonly input: Readable;
  readonly output: Writable;
  /** Ends the connection. */
  readonly signal: AbortSignal;
}

/**
 * Serves an open agent to one client by the Model Context Protocol. Resolves when the client has gone or `signal` has fired; its prompts are
 * cancelled. Never rejects.
 */
export async function serveMcp({ input, output, signal, ...parts }: McpServerOptions): Promise<void> {
  const { create, changes } = await agentServers(parts);
  const ended = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) input.once(event, () => resolve());
    output.once("error", () => resolve());
    whenAborted(signal, resolve);
  });
  const connection = serveStdio((client) => changes.add(create(client)), {
    transport: new StdioServerTransport(input, output),
  });
  await ended;
  await connection.close().catch(() => {});
}
