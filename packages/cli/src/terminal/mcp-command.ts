import { plainLine } from "@mdx-ai/directory/text";
import type { Agent } from "@mdx-ai/runtime";
import { serversText, serverView, stateText, wholeServerView } from "../mcp/server-view.ts";
import { counted } from "../output/figures.ts";
import { columns } from "../output/line-layout.ts";
import type { Paint } from "../output/output.ts";

/** The conversation colours answers itself. */
const plain: Paint = (_colour, text) => text;

const NEVER: AbortSignal = new AbortController().signal;

/**
 * Runs `/mcp` with these words and returns the answer: the state of all servers, or all of one server, which is connected for it. The
 * server of a skill that the session does not have is not started.
 */
export async function runMcpCommand(
  words: string,
  agent: Pick<Agent, "servers" | "skills">,
  session: string,
): Promise<string> {
  const skills = await agent.skills(session);
  const isEnabled = (skill: string | undefined): boolean =>
    skills.find(({ definition }) => definition.name === skill)?.isEnabled ?? true;
  if (agent.servers.length === 0) return "This agent has no MCP servers; they are written under `mcp` in agent.mdx.";
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
  return [...columns(rows, plain), "/mcp NAME shows the tools, resources and prompts of one."].join("\n");
}
