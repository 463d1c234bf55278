import { dirname, resolve } from "node:path";
import { warnOfEachOnce } from "@mdx-ai/base";
import type { ToolOrigin } from "@mdx-ai/loop";
import type { AgentDirectory, McpServerDefinition } from "@mdx-ai/parser";
import type { DeclaredServer } from "../types/mcp.ts";

/** A server declaration of a directory. */
export interface WrittenServer extends DeclaredServer {
  /** As written, with `{baseDir}` not replaced. */
  readonly written: McpServerDefinition;
}

/**
 * The servers of a directory: agent.mdx first, then its skills. Names may repeat. Every `{baseDir}` in a skill's
 * server is replaced by the absolute path of the skill's folder.
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
 * The servers of an agent: its directory's, then its user's. The first of several with the same name wins;
 * `onRefused` receives a line about each of the others.
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
    else
      onRefused(
        `the MCP server ${name} of ${declaredBy} is not used: ${first.declaredBy} declares a server of the same name`,
      );
  }
  return [...servers.values()];
}

/** The name of a skill's server: the skill's name, reduced to the characters of server names. */
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

const PREFIX = "/mcp:";

/** Whether a text is a prompt of an MCP server: `/mcp:SERVER:PROMPT arguments`. */
export const isMcpPrompt = (text: string): boolean => text.trimStart().startsWith(PREFIX);

/** Warns once about each MCP tool whose name is taken by another source. */
export function takenWarning(
  onWarning: (message: string) => void,
): (name: string, by: ToolOrigin, origin: ToolOrigin) => void {
  const warn = warnOfEachOnce(onWarning);
  return (name, by, origin) => {
    if (/^mcp:/.test(origin)) warn(`the tool ${name} of ${origin} is left out: ${by} has a tool of the same name`);
  };
}
