import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt, errorMessage, isRecord } from "@mdx-ai/base";
import type { DeclaredServer } from "@mdx-ai/runtime";
import { DirectoryError } from "../directory-error.ts";

/** The servers of a file. */
export interface McpFile {
  readonly servers: readonly DeclaredServer[];
  /** A line for each server that is invalid. */
  readonly problems: readonly string[];
}

/**
 * Reads the servers of a file such as `.mcp.json`: `{"mcpServers": {NAME: {command, args, env, url, headers, type}}}`. Relative paths
 * start at its folder. Ignores unknown keys and disabled servers. Rejects with `DirectoryError` ("settings") if the file cannot be read.
 */
export async function readMcpFile(path: string): Promise<McpFile> {
  const { isMcpServerName, readMcpServer } = await import("@mdx-ai/parser/mcp-server");
  const read = (name: string, value: unknown): DeclaredServer | string => {
    if (!isRecord(value)) return "it is not an object";
    if (!isMcpServerName(name)) return "a name consists of at most 40 letters, digits, `_` and `-`";
    const { server, problems } = readMcpServer(knownParts(value), name);
    const [problem] = problems;
    if (server === undefined) return problem === undefined ? "it is invalid" : `${problem.message}; ${problem.hint}`;
    return { name, definition: server, baseDir: dirname(path), declaredBy: path };
  };
  const found = Object.entries(serversIn(path))
    .filter(([, value]) => !isRecord(value) || value["disabled"] !== true)
    .map(([name, value]) => ({ name, result: read(name, value) }));
  return {
    servers: found.flatMap(({ result }) => (typeof result === "string" ? [] : result)),
    problems: found.flatMap(({ name, result }) =>
      typeof result === "string" ? `${path}: the MCP server ${JSON.stringify(name)}: ${result}` : [],
    ),
  };
}

/** The same, but rejects with `DirectoryError` ("settings") if a server is invalid, too: a requested server must not be missing silently. */
export async function readMcpConfig(path: string): Promise<readonly DeclaredServer[]> {
  const { servers, problems } = await readMcpFile(path);
  const [problem] = problems;
  if (problem !== undefined) throw new DirectoryError("settings", problem);
  return servers;
}

/** The keys with the same meaning here; `type` is the transport, and `streamable-http` is `http`. */
function knownParts(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { command, args, env, cwd, url, headers, type } = value;
  const transport = type === "streamable-http" || type === "streamableHttp" ? "http" : type;
  const parts = { transport, command, args, env, cwd, url, headers };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
}

/** The file in which other programs keep the MCP servers of a folder. */
export const MCP_FILE = ".mcp.json";

/** The maximum size. */
const MAX_BYTES = 1_000_000;

/** The names of the servers in the `.mcp.json` of a folder; none if there is no such file. Starts nothing. Never throws. */
export const offeredMcpServers = (folder: string): readonly string[] =>
  attempt(() => Object.keys(serversIn(join(folder, MCP_FILE)))) ?? [];

/** The raw server entries of a file. Throws `DirectoryError` ("settings") if it cannot be read. */
function serversIn(path: string): Readonly<Record<string, unknown>> {
  const value = parsed(path);
  const servers = isRecord(value) ? value["mcpServers"] : undefined;
  if (isRecord(servers)) return servers;
  throw new DirectoryError("settings", `${path} declares no servers; expected {"mcpServers": {…}}`);
}

function parsed(path: string): unknown {
  try {
    if (statSync(path).size > MAX_BYTES) throw new Error("it is too large");
    const text = readFileSync(path, "utf8");
    return JSON.parse(text);
  } catch (cause) {
    throw new DirectoryError("settings", `cannot read ${path}: ${errorMessage(cause)}`, { cause });
  }
}
