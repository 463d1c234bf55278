import { defined, isRecord } from "@mdx-ai/base";
import { quoted } from "../report.ts";
import type { McpServerDefinition, McpSettings, MemorySettings } from "../types/agent-settings.ts";
import { isMcpServerName, mcpServerProblems, readMcpServer } from "./mcp-server.ts";
import { type Path, rangeOf, type SettingsReading } from "./setting-paths.ts";

/**
 * Reports servers of `mcp` with a mistake that the schema does not state, and returns their paths. `isRefused` says whether the schema has refused
 * a path.
 */
export function refusedServers(reading: SettingsReading, isRefused: (path: Path) => boolean): readonly Path[] {
  const { mcp } = reading.yaml.values;
  if (!isRecord(mcp) || isRefused(["mcp"])) return [];
  return Object.entries(mcp).flatMap(([name, server]) => {
    const path = ["mcp", name];
    const isMisfit =
      isRefused(path) || (isRecord(server) && Object.keys(server).some((key) => isRefused([...path, key])));
    const isWrong = reportName(name, reading) || isMisfit || reportParts(server, path, reading);
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

/** Reports what is wrong with the server at a path, and returns whether something is. */
function reportParts(server: unknown, path: Path, reading: SettingsReading): boolean {
  const problems = mcpServerProblems(server, path.join("."));
  for (const { path: inner, of, message, hint } of problems) {
    const { start } = rangeOf(reading, [...path, ...inner], inner.length === 0 ? "key" : of);
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

/** Reports mistakes of `memory` that the schema does not state, and returns whether there are some. */
export function refusedMemory(reading: SettingsReading): boolean {
  const { memory } = reading.yaml.values;
  if (!isRecord(memory)) return false;
  const { store } = memory;
  return isRecord(store) && reportParts(store, ["memory", "store"], reading);
}

/** The memory as it was written, which fits the schema: `on` is one without settings. */
export function memoryOf(written: unknown): MemorySettings | "off" | undefined {
  if (written === "off") return "off";
  if (written === "on") return {};
  if (!isRecord(written)) return undefined;
  const text = (name: string): string | undefined => {
    const value = written[name];
    return typeof value === "string" ? value.trim() : undefined;
  };
  const server = isRecord(written["store"]) ? readMcpServer(written["store"], "memory.store").server : undefined;
  const store: MemorySettings["store"] | undefined =
    written["store"] === undefined ? undefined : (server ?? "embedded");
  return defined({ vault: text("vault"), memory: text("memory"), store, model: text("model") });
}
