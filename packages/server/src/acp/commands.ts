import type { AvailableCommand } from "@agentclientprotocol/sdk";
import { plainLine } from "@mdx-ai/directory/text";
import type { Agent, McpPrompt, Session } from "@mdx-ai/runtime";

/** A command that the session itself runs, without the model. */
export const COMPACT = "compact";

/** The commands of a session: its own, its enabled skills, and the prompts of connected MCP servers. */
export async function sessionCommands(agent: Agent, session: Session): Promise<AvailableCommand[]> {
  const skills = (await session.skills())
    .filter(({ isEnabled }) => isEnabled)
    .map(({ definition: { name, description, isCommand } }) => ({
      name: isCommand === true ? name : `skill:${name}`,
      description: plainLine(description) || name,
      input: { hint: "what it is for" },
    }));
  return [
    { name: COMPACT, description: "Replace older messages by a summary in what is sent to the model" },
    ...skills,
    ...(await promptCommands(agent)),
  ];
}

async function promptCommands({ servers }: Agent): Promise<readonly AvailableCommand[]> {
  const connected = servers.filter(({ state }) => state.type === "connected");
  const found = await Promise.all(
    connected.map(async ({ name, prompts }) => {
      const listed = await prompts().catch((): readonly McpPrompt[] => []);
      return listed.map((prompt) => promptCommand(name, prompt));
    }),
  );
  return found.flat();
}

function promptCommand(server: string, prompt: McpPrompt): AvailableCommand {
  const hint = prompt.arguments.map(({ name }) => name).join(" ");
  return {
    name: `mcp:${server}:${prompt.name}`,
    description: plainLine(prompt.description ?? prompt.name),
    ...(hint !== "" && { input: { hint } }),
  };
}
