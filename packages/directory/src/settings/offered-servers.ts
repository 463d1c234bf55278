import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@mdx-ai/parser/record";
import { errorMessage } from "@mdx-ai/runtime/error-message";
import { DirectoryError } from "../directory-error.ts";

/** The file in which other programs keep the MCP servers of a folder. */
const MCP_FILE = ".mcp.json";

/** No file of this kind is larger. */
const MOST_CHARACTERS = 1_000_000;

/** The names of the servers that the `.mcp.json` of a folder offers; none if there is no such file. Starts nothing, never throws. */
export function offeredMcpServers(folder: string): readonly string[] {
  try {
    return Object.keys(serversIn(join(folder, MCP_FILE)));
  } catch {
    return [];
  }
}

/** The servers of a file of this kind, as it has them. Throws `DirectoryError` ("settings") if it cannot be read. */
export function serversIn(path: string): Readonly<Record<string, unknown>> {
  const value = parsed(path);
  const servers = isRecord(value) ? value["mcpServers"] : undefined;
  if (isRecord(servers)) return servers;
  throw new DirectoryError("settings", `${path} names no servers; expected {"mcpServers": {…}}`);
}

function parsed(path: string): unknown {
  try {
    const text = readFileSync(path, "utf8");
    if (text.length > MOST_CHARACTERS) throw new Error("it is too large");
    return JSON.parse(text);
  } catch (cause) {
    throw new DirectoryError("settings", `${path} cannot be read: ${errorMessage(cause)}`, { cause });
  }
}
