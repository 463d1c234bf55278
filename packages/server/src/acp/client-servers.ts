import type { McpServer } from "@agentclientprotocol/sdk";
import { readMcpServer } from "@mdx-ai/parser/mcp-server";
import type { DeclaredServer } from "@mdx-ai/runtime";
import { invalidParams } from "./acp-errors.ts";

/** The most characters of a server's name, which is part of the names of its tools. */
const MAX_NAME = 40;

/** The MCP servers that a client gives to a session. Relative paths start at `folder`. Throws a `RequestError` for an invalid one. */
export function clientServers(servers: readonly McpServer[], folder: string): readonly DeclaredServer[] {
  const taken = new Set<string>();
  return servers.map((server) => {
    const name = freeName(server.name, taken);
    taken.add(name);
    const { server: definition, problems } = readMcpServer(partsOf(server), name);
    if (definition === undefined) {
      throw invalidParams(`the MCP server ${JSON.stringify(server.name)}: ${problems[0]?.message ?? "it is invalid"}`);
    }
    return { name, definition, baseDir: folder, declaredBy: "the editor" };
  });
}

function partsOf(server: McpServer): Readonly<Record<string, unknown>> {
  if ("url" in server) return { transport: server.type, url: server.url, headers: pairs(server.headers) };
  const { command, args, env } = server;
  return { transport: "stdio", command, args, env: pairs(env) };
}

const pairs = (
  listed: readonly { readonly name: string; readonly value: string }[],
): Readonly<Record<string, string>> => Object.fromEntries(listed.map(({ name, value }) => [name, value]));

/** A name that tools can carry: other characters become "-", and a repeated name gets a number. */
function freeName(given: string, taken: ReadonlySet<string>): string {
  const name =
    given
      .replace(/[^\w-]+/g, "-")
      .replace(/^[_-]+/, "")
      .slice(0, MAX_NAME) || "server";
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) {
    const numbered = `${name.slice(0, MAX_NAME - 4)}-${number}`;
    if (!taken.has(numbered)) return numbered;
  }
}
