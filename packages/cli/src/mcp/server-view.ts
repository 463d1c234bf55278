import { shortened } from "@mdx-ai/base";
import { plainLine } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import type { Agent, AgentServer, McpPrompt, McpResource, McpState, McpTool } from "@mdx-ai/runtime";
import { columns } from "../output/line-layout.ts";
import type { Paint } from "../output/output.ts";

/** An MCP server in the output of `mdx-ai mcp`. */
export interface ServerView {
  readonly name: string;
  readonly declaredBy: string;
  readonly skill?: string;
  /** Whether a new session has it: not if its skill is disabled by default. */
  readonly isEnabled: boolean;
  readonly transport: string;
  /** Its declared command line or address. */
  readonly target: string;
  readonly state: McpState;
  readonly tools: readonly Pick<McpTool, "name" | "description" | "inputSchema">[];
  /** The names of listed tools that cannot be used because of them; absent if there is none. */
  readonly leftOut?: readonly string[];
  readonly resources: readonly McpResource[];
  readonly prompts: readonly McpPrompt[];
}

/** The view of a server that has not been started. */
export function serverView(
  { name, declaredBy, skill, definition, state, tools, leftOut }: AgentServer,
  isEnabled: boolean,
): ServerView {
  const { transport, command, args = [], url = "" } = definition;
  return {
    ...{ name, declaredBy, isEnabled, transport, state },
    ...(skill !== undefined && { skill }),
    target: command === undefined ? url : [command, ...args].join(" "),
    tools: tools.map(({ name: tool, description, inputSchema }) => ({ name: tool, description, inputSchema })),
    ...(leftOut.length > 0 && { leftOut }),
    resources: [],
    prompts: [],
  };
}

/** As `serverView`, with the server's resources and prompts. The server must be connected. Never rejects. */
export async function wholeServerView(server: AgentServer, signal: AbortSignal): Promise<ServerView> {
  const [resources, prompts] = await Promise.all([
    server.resources(signal).catch(() => []),
    server.prompts(signal).catch(() => []),
  ]);
  return { ...serverView(server, true), resources, prompts };
}

/** One line that says whether a server can be used. */
export function stateText({ state, isEnabled, skill }: Pick<ServerView, "state" | "isEnabled" | "skill">): string {
  if (!isEnabled && state.type === "idle") return `not started: the skill ${skill} is not enabled`;
  switch (state.type) {
    case "idle":
      return "not started yet";
    case "connecting":
      return "connecting";
    case "connected":
      return "connected";
    case "closed":
      return "closed";
    case "failed":
      return `not available: ${plainLine(state.reason)}`;
  }
}

/** The servers as text, each with its tools, resources and prompts. */
export function serversText(servers: readonly ServerView[], paint: Paint): string {
  return servers.map((server) => `${serverText(server, paint)}\n`).join("\n");
}

function serverText(server: ServerView, paint: Paint): string {
  const { name, declaredBy, transport, target, tools, leftOut = [], resources, prompts } = server;
  const colour = server.state.type === "failed" ? "red" : "dim";
  const listed = (title: string, rows: readonly (readonly string[])[]): readonly string[] =>
    rows.length === 0
      ? []
      : [
          `  ${counted(rows.length, title)}:`,
          ...columns(
            rows.map((cells) => ({ cells })),
            paint,
          ).map((line) => `    ${line}`),
        ];
  return [
    `${paint("bold", plainLine(name))}  ${paint(colour, stateText(server))}`,
    `  ${plainLine(`${transport}: ${target}`)}  (${plainLine(declaredBy)})`,
    ...listed(
      "tool",
      tools.map((tool) => [tool.name, shortLine(tool.description)]),
    ),
    ...(leftOut.length === 0 ? [] : [`  left out for their names: ${leftOut.map(plainLine).join(", ")}`]),
    ...listed(
      "resource",
      resources.map((resource) => [resource.uri, shortLine(resource.description ?? resource.name)]),
    ),
    ...listed(
      "prompt",
      prompts.map((prompt) => [promptUse(prompt), shortLine(prompt.description ?? "")]),
    ),
  ].join("\n");
}

/** A prompt with its arguments, such as `greet name [style]`. */
const promptUse = ({ name, arguments: args }: McpPrompt): string =>
  [name, ...args.map((one) => (one.required ? one.name : `[${one.name}]`))].join(" ");

const MAX_LENGTH = 100;

function shortLine(text: string): string {
  const line = plainLine(text);
  return shortened(line, MAX_LENGTH);
}

/** The conversation adds colour itself. */
const plain: Paint = (_colour, text) => text;

const NEVER: AbortSignal = new AbortController().signal;

/**
 * Runs `/mcp` and returns the answer: the state of all servers, or the details of one server, which is connected for it. Does not start the
 * server of a skill that the session has disabled.
 */
export async function runMcpCommand(
  words: string,
  agent: Pick<Agent, "servers" | "session">,
  session: string,
): Promise<string> {
  const skills = await agent.session(session).skills();
  const isEnabled = (skill: string | undefined): boolean =>
    skills.find(({ definition }) => definition.name === skill)?.isEnabled ?? true;
  if (agent.servers.length === 0) return "This agent has no MCP servers; add them under `mcp` in agent.mdx.";
  if (words === "") return statesText(agent, isEnabled);
  const server = agent.servers.find(({ name }) => name === words);
  if (server === undefined) {
    const names = agent.servers.map(({ name }) => plainLine(name));
    return `There is no MCP server ${plainLine(words)}; available: ${names.join(", ")}`;
  }
  if (!isEnabled(server.skill)) return serversText([serverView(server, false)], plain).trimEnd();
  await server.connect(NEVER);
  const view = server.state.type === "connected" ? await wholeServerView(server, NEVER) : serverView(server, true);
  return serversText([view], plain).trimEnd();
}

function statesText({ servers }: Pick<Agent, "servers">, isEnabled: (skill: string | undefined) => boolean): string {
  const rows = servers.map((server) => {
    const view = serverView(server, isEnabled(server.skill));
    const tools = server.tools.length === 0 ? "" : counted(server.tools.length, "tool");
    return { cells: [server.name, stateText(view), tools] };
  });
  return [...columns(rows, plain), "/mcp NAME shows the tools, resources and prompts of one server."].join("\n");
}
