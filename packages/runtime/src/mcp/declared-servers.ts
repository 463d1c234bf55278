import { dirname, resolve } from "node:path";
import type { AgentDirectory, McpServerDefinition } from "@mdx-ai/parser";
import type { DeclaredServer } from "../types/mcp.ts";

/** A server as a directory declares it. */
export interface WrittenServer extends DeclaredServer {
  /** With `{baseDir}` as it is written. */
  readonly written: McpServerDefinition;
}

/**
 * The servers of a directory: those of agent.mdx, then those of its skills. Several may have one name. Every `{baseDir}` of a skill's
 * server is the absolute path of the skill's folder.
 */
export function serversOfDirectory({
  path,
  definition: { settings, skills },
}: Pick<AgentDirectory, "path" | "definition">): readonly WrittenServer[] {
  const own = Object.entries(settings.mcp ?? {}).map(([name, server]) => ({
    ...{ name, written: server, definition: server, baseDir: path, declaredBy: "agent.mdx" },
  }));
  const ofSkills = skills.flatMap(({ name: skill, path: file, mcpServer: written }) => {
    if (written === undefined) return [];
    const definition = inFolder(written, dirname(resolve(path, file)));
    const name = serverNameOfSkill(skill);
    return [{ name, written, definition, baseDir: path, declaredBy: `the skill ${skill}`, skill }];
  });
  return [...own, ...ofSkills];
}

/**
 * The servers that an agent has: those of its directory, then those of its user. Of several with one name the first counts;
 * `onRefused` receives a line about each other one.
 */
export function declaredServers(
  directory: Pick<AgentDirectory, "path" | "definition">,
  ofUser: readonly DeclaredServer[],
  onRefused: (line: string) => void,
): readonly DeclaredServer[] {
  const servers = new Map<string, DeclaredServer>();
  const own = serversOfDirectory(directory).map(({ written: _written, ...server }) => server);
  for (const server of [...own, ...ofUser]) {
    const { name, declaredBy } = server;
    const first = servers.get(name);
    if (first === undefined) servers.set(name, server);
    else onRefused(`the MCP server ${name} of ${declaredBy} is not used: ${first.declaredBy} has one of this name`);
  }
  return [...servers.values()];
}

/** The name of a skill's server: that of the skill, in the characters that names of servers may have. */
export const serverNameOfSkill = (skill: string): string => {
  const safe = skill.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^[-_]+|-+$/g, "");
  return safe.slice(0, 40) || "skill";
};

function inFolder(server: McpServerDefinition, folder: string): McpServerDefinition {
  const { command, args, env, cwd } = server;
  const filled = (text: string): string => text.replaceAll("{baseDir}", () => folder);
  const filledEnv = Object.entries(env ?? {}).map(([name, text]) => [name, filled(text)]);
  return {
    ...server,
    ...(command !== undefined && { command: filled(command) }),
    ...(args !== undefined && { args: args.map(filled) }),
    ...(cwd !== undefined && { cwd: filled(cwd) }),
    ...(env !== undefined && { env: Object.fromEntries(filledEnv) }),
  };
}
