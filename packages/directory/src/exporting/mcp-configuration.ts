import type { JsonObject } from "@mdx-ai/base";
import type { AgentDefinition } from "@mdx-ai/parser";
import { kebabCase } from "../importing/source-file.ts";

/** Where others reach the agent. */
export type AgentPlace =
  /** A program that is started: its command line. */
  | { readonly type: "command"; readonly command: readonly [program: string, ...args: readonly string[]] }
  /** A server that runs: the address of its MCP endpoint. */
  | { readonly type: "url"; readonly url: string };

/** The variable with the token of a server. */
const TOKEN = "MDX_AI_TOKEN";

/** An MCP configuration in the form that most clients read, such as `.mcp.json`: the agent as a server. No variable has its value in it. */
export function mcpConfiguration(definition: AgentDefinition, place: AgentPlace): JsonObject {
  const name = kebabCase(definition.identity.name, "agent");
  if (place.type === "url") {
    const headers = { Authorization: `Bearer \${${TOKEN}}` };
    return { mcpServers: { [name]: { type: "http", url: place.url, headers } } };
  }
  const [command, ...args] = place.command;
  const env = Object.fromEntries(variablesOf(definition).map((variable) => [variable, `\${${variable}}`]));
  return { mcpServers: { [name]: { command, args, ...(Object.keys(env).length > 0 && { env }) } } };
}

/** The variables that tools and MCP servers of an agent name, sorted. The key of its model is not among them. */
export function variablesOf({ tools, settings }: AgentDefinition): readonly string[] {
  const ofTools = tools.flatMap(({ environment }) => environment);
  const written = JSON.stringify(settings.mcp ?? {});
  const ofServers = Array.from(written.matchAll(/\$\{([A-Za-z_]\w*)\}/g), ([, name = ""]) => name);
  return [...new Set([...ofTools, ...ofServers])].toSorted();
}
