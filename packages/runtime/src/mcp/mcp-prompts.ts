import { errorMessage } from "@mdx-ai/base";
import type { McpPrompt } from "@mdx-ai/mcp";
import { DisabledSkillError } from "../skills/skills.ts";
import type { AgentServer } from "../types/mcp.ts";

/** A `/mcp:` command cannot be expanded. The message lists the available names. */
export class McpPromptError extends Error {
  override readonly name = "McpPromptError";
}

const COMMAND = /^\s*\/mcp:(?<server>[^:\s]*):(?<prompt>\S*)(?<words>[^\n]*)(?<rest>[\s\S]*)$/;

/**
 * Asks a server to expand one of its prompts. Arguments are `name=value` pairs, or words in the order of the arguments; the
 * last one takes the rest of the line. Further lines, such as attached files, are appended to the result. Rejects with `McpPromptError`, or with
 * `DisabledSkillError` for a server of a disabled skill.
 */
export async function expandMcpPrompt(
  text: string,
  all: readonly AgentServer[],
  disabled: ReadonlySet<string> = new Set(),
): Promise<string> {
  const { server: serverName, prompt: name, words = "", rest = "" } = COMMAND.exec(text)?.groups ?? {};
  const server = all.find((one) => one.name === serverName);
  const isOffered = ({ skill }: AgentServer): boolean => skill === undefined || !disabled.has(skill);
  if (server === undefined) throw new McpPromptError(noServer(serverName, all.filter(isOffered)));
  if (server.skill !== undefined && !isOffered(server)) throw new DisabledSkillError(server.skill);
  try {
    const prompts = await server.prompts();
    const prompt = prompts.find((one) => one.name === name);
    if (prompt === undefined) throw new McpPromptError(noPrompt(server.name, name, prompts));
    const expanded = await server.prompt(prompt.name, promptArguments(prompt, words));
    return [expanded, rest.trim()].filter((part) => part !== "").join("\n\n");
  } catch (cause) {
    if (cause instanceof McpPromptError) throw cause;
    throw new McpPromptError(`the MCP server ${server.name}: ${errorMessage(cause)}`, { cause });
  }
}

function noServer(name: string | undefined, servers: readonly AgentServer[]): string {
  const all = servers.length === 0 ? "this session has none" : `the available servers are ${namesOf(servers)}`;
  return name === undefined || name === ""
    ? `write /mcp:SERVER:PROMPT; of MCP servers ${all}`
    : `there is no MCP server ${JSON.stringify(name)}; ${all}`;
}

function noPrompt(server: string, name: string | undefined, prompts: readonly McpPrompt[]): string {
  const all = prompts.length === 0 ? "it has no prompts" : `its prompts are ${namesOf(prompts)}`;
  return name === undefined || name === ""
    ? `write /mcp:${server}:PROMPT; ${all}`
    : `the MCP server ${server} has no prompt ${JSON.stringify(name)}; ${all}`;
}

const namesOf = (named: readonly { readonly name: string }[]): string => named.map(({ name }) => name).join(", ");

/** Throws `McpPromptError` if a required argument is missing. */
function promptArguments(prompt: McpPrompt, text: string): Readonly<Record<string, string>> {
  const words = wordsOf(text);
  const names = prompt.arguments.map(({ name }) => name);
  const args = areNamed(words, names) ? namedArguments(words) : positionalArguments(words, names);
  const missing = prompt.arguments.filter(({ name, required }) => required && args[name] === undefined);
  if (missing.length > 0) {
    throw new McpPromptError(
      `the prompt ${prompt.name} needs ${namesOf(missing)}; write NAME=VALUE, or the values in order`,
    );
  }
  return args;
}

/** Quotes enclose a value with blanks. */
const wordsOf = (text: string): readonly string[] =>
  [...text.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));

const nameIn = (word: string): string => word.slice(0, Math.max(0, word.indexOf("=")));

const areNamed = (words: readonly string[], names: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => names.includes(nameIn(word)));

const namedArguments = (words: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(words.map((word) => [nameIn(word), word.slice(nameIn(word).length + 1)]));

function positionalArguments(words: readonly string[], names: readonly string[]): Readonly<Record<string, string>> {
  const last = names.length - 1;
  const values = names.flatMap((name, index): [string, string][] => {
    const value = index === last ? words.slice(last).join(" ") : (words[index] ?? "");
    return value === "" ? [] : [[name, value]];
  });
  return Object.fromEntries(values);
}
