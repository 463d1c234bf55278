import { defined } from "@mdx-ai/base";
import { type Problem, unlocated, validate } from "@mdx-ai/base/schema";
import type { McpServerDefinition } from "../types/agent-settings.ts";
import { transportOf, type WrittenServer } from "./check-server.ts";
import { mcpServerSchema } from "./mcp-server-schema.ts";

export { isMcpServerName } from "./check-server.ts";

/** What a declaration says. */
export interface McpServerReading {
  /** Undefined if there is a problem. */
  readonly server: McpServerDefinition | undefined;
  readonly problems: readonly Problem[];
}

/** Reads the declaration of a server, which messages call `name`. Never throws. */
export function readMcpServer(value: unknown, name = "mcp_server"): McpServerReading {
  const { value: written, problems } = validate(mcpServerSchema, unlocated(value), { name });
  return { server: written && mcpServerOf(written), problems };
}

/** The definition of a valid server. A number is the text that is written: `PORT: 8080`. */
export function mcpServerOf(written: WrittenServer): McpServerDefinition {
  const { env, headers, ...others } = written;
  const textsOf = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  const transport = transportOf(written) ?? "http";
  return { ...others, transport, ...defined({ env: env && textsOf(env), headers: headers && textsOf(headers) }) };
}
