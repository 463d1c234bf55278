import type { Environment } from "@mdx-ai/base";
import type { McpOAuthDefinition, McpServerDefinition } from "@mdx-ai/parser";
import { McpError } from "./mcp-error.ts";

/** `${NAME}`, or `${NAME:-TEXT}` with a default for a variable that is missing or empty. */
const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** Resolves the variables in a definition. Throws `McpError`, which names the first missing one. */
export function withVariables(server: McpServerDefinition, environment: Environment): McpServerDefinition {
  const fill = (text: string): string => text.replace(VARIABLE, (_all, name, otherwise) => variable(name, otherwise));
  const variable = (name: string, otherwise: string | undefined): string => {
    const value = environment[name];
    if (value !== undefined && (value !== "" || otherwise === undefined)) return value;
    if (otherwise !== undefined) return otherwise;
    throw new McpError(`the variable ${name} is not set`);
  };
  const { command, args, env, cwd, url, headers, oauth, roots } = server;
  return {
    ...server,
    ...(command !== undefined && { command: fill(command) }),
    ...(args && { args: args.map(fill) }),
    ...(env && { env: filled(env, fill) }),
    ...(cwd !== undefined && { cwd: fill(cwd) }),
    ...(url !== undefined && { url: fill(url) }),
    ...(roots !== undefined && roots !== "off" && { roots: roots.map(fill) }),
    ...(headers && { headers: filled(headers, fill) }),
    ...(oauth && { oauth: filledOAuth(oauth, fill) }),
  };
}

type Fill = (text: string) => string;

const filled = (texts: Readonly<Record<string, string>>, fill: Fill): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)]));

const filledOAuth = (oauth: McpOAuthDefinition, fill: Fill): McpOAuthDefinition =>
  Object.fromEntries(Object.entries(oauth).map(([name, text]) => [name, fill(text)]));
