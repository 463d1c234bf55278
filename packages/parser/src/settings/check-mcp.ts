import { isRecord } from "../record.ts";
import { quoted } from "../report.ts";
import type { McpServerDefinition, McpSettings } from "../types/mcp-definition.ts";
import { isMcpServerName, mcpServerProblems, readMcpServer } from "./mcp-server.ts";
import { type Path, rangeOf, type SettingsReading } from "./setting-paths.ts";

/**
 * Reports servers of `mcp` with a mistake that the schema does not state, and returns their paths. `isRefused` says whether the schema has refused
 * a path.
 */
export function refusedServers(reading: SettingsReading, isRefused: (path: Path) => boolean): readonly Path[] {
  const { mcp } = reading.yaml.values;
  if (!isRecord(mcp) || isRefused(["mcp"])) return [];
  return Object.keys(mcp).flatMap((name) => {
    const path = ["mcp", name];
    const server = mcp[name];
    const isMisfit =
      isRefused(path) || (isRecord(server) && Object.keys(server).some((key) => isRefused([...path, key])));
    const isWrong = reportName(name, reading) || isMisfit || reportParts(name, server, reading);
    return isWrong ? [path] : [];
  });
}

function reportName(name: string, reading: SettingsReading): boolean {
  if (isMcpServerName(name)) return false;
  reading.report({
    rule: "mcp-server",
    offset: rangeOf(reading, ["mcp", name], "key").start,
    message: `unexpected name ${quoted(name)} of a server, expected letters, digits, \`_\` and \`-\`, at most 40`,
    hint: "rename it: the name is a part of the names of its tools",
  });
  return true;
}

function reportParts(name: string, server: unknown, reading: SettingsReading): boolean {
  const problems = mcpServerProblems(server, `mcp.${name}`);
  for (const { path, of, message, hint } of problems) {
    const { start } = rangeOf(reading, ["mcp", name, ...path], path.length === 0 ? "key" : of);
    reading.report({ rule: "mcp-server", offset: start, message, hint });
  }
  return problems.length > 0;
}

/** The servers that were written, with the transport of each; those with a mistake are left out. */
export function serversOf(written: Readonly<Record<string, unknown>>): McpSettings {
  const servers = Object.entries(written).flatMap(([name, value]): [string, McpServerDefinition][] => {
    const { server } = readMcpServer(value, name);
    return server === undefined ? [] : [[name, server]];
  });
  return Object.fromEntries(servers);
}
