import { dirname } from "node:path";
import { isMcpServerName, readMcpServer } from "@mdx-ai/parser/mcp-server";
import { isRecord } from "@mdx-ai/parser/record";
import type { DeclaredServer } from "@mdx-ai/runtime";
import { DirectoryError } from "../directory-error.ts";
import { serversIn } from "./offered-servers.ts";

/**
 * The servers of a file such as `.mcp.json`: `{"mcpServers": {NAME: {command, args, env, url, headers, type}}}`. Their relative paths
 * start at its folder. What other programs add is passed over, and so are servers that are disabled. Throws `DirectoryError` ("settings")
 * if the file cannot be read or a server of it cannot be used: one that the user asked for must not be missing in silence.
 */
export function readMcpConfig(path: string): readonly DeclaredServer[] {
  return Object.entries(serversIn(path)).flatMap(([name, value]) => {
    const fail = (message: string): never => {
      throw new DirectoryError("settings", `${path}: the MCP server ${JSON.stringify(name)}: ${message}`);
    };
    if (!isRecord(value)) return fail("it is not an object");
    if (value["disabled"] === true) return [];
    if (!isMcpServerName(name)) return fail("a name has letters, digits, `_` and `-`, at most 40");
    const { server, problems } = readMcpServer(knownParts(value), name);
    const [problem] = problems;
    if (server === undefined)
      return fail(problem === undefined ? "it cannot be read" : `${problem.message}; ${problem.hint}`);
    return [{ name, definition: server, baseDir: dirname(path), declaredBy: path }];
  });
}

/** The parts that mean the same here; `type` is the transport, and `streamable-http` is `http`. */
function knownParts(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { command, args, env, cwd, url, headers, type } = value;
  const transport = type === "streamable-http" || type === "streamableHttp" ? "http" : type;
  const parts = { transport, command, args, env, cwd, url, headers };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
}
