import type { OpenDirectory } from "@mdx-ai/directory";
import { agentOf, jsonResponse, type Route } from "../route.ts";

export const AGENT_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/agents",
    summary: "List the agents",
    answers: { 200: { description: "the agents", type: "application/json" } },
    async answer(call) {
      const { agents } = call.services;
      const views = agents.names.map(async (name) => agentView(name, await agents.of(name, call.caller.user)));
      return jsonResponse(call, { agents: await Promise.all(views) });
    },
  },
  {
    method: "GET",
    path: "/api/agents/{agent}",
    summary: "Read an agent",
    answers: { 200: { description: "the agent", type: "application/json" } },
    async answer(call) {
      return jsonResponse(call, agentView(call.parameters["agent"] ?? "", await agentOf(call)));
    },
  },
];

/** An agent for a client. Texts of the directory are untrusted. */
function agentView(name: string, { agent, directory, session }: OpenDirectory): object {
  const { description } = directory.definition.settings;
  return {
    id: name,
    name,
    title: agent.name,
    ...(description !== undefined && { description }),
    model: `${agent.model.provider}/${agent.model.name}`,
    fallbacks: agent.fallbacks.map((model) => `${model.provider}/${model.name}`),
    mode: agent.mode,
    session,
  };
}
