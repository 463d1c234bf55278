import type { Agent, AgentServer } from "@mdx-ai/runtime";

/** Returns a function that says whether a new session has a server: not if its skill is disabled by default. */
export async function enabledServers(agent: Agent): Promise<(server: AgentServer) => boolean> {
  const skills = await agent.session().skills();
  const enabled = new Set(skills.flatMap(({ definition, isEnabled }) => (isEnabled ? definition.name : [])));
  return ({ skill }) => skill === undefined || enabled.has(skill);
}
