import type { JournalLine } from "@mdx-ai/sessions";
import type { HostedHeartbeat } from "../heartbeat/hosted-heartbeat.ts";
import type { Agent } from "../types/agent.ts";
import { LocalAgent } from "./agent.ts";
import type { HostedSession } from "./hosted-session.ts";

/**
 * A session that the caller opens and runs on its own host. `lines` resolves to its lines so far. `agent` must come from `openAgent`.
 * Throws `TypeError`.
 */
export function hostedSession(agent: Agent, id: string, lines: () => Promise<readonly JournalLine[]>): HostedSession {
  if (agent instanceof LocalAgent) return agent.hosted(id, lines);
  throw new TypeError("the agent was not opened on this machine");
}

/**
 * The heartbeat of an agent from `openAgent`, for a program that keeps its record. Its prompts run in the sessions of `sessions`. Rejects with
 * `TypeError`.
 */
export async function hostedHeartbeat(agent: Agent, sessions: Agent): Promise<HostedHeartbeat> {
  if (agent instanceof LocalAgent) return agent.heartbeatOf(sessions);
  throw new TypeError("the agent was not opened on this machine");
}
