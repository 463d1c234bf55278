import type { Agent } from "@mdx-ai/runtime";
import { counted } from "../../output/figures.ts";
import type { Theme } from "../../output/theme.ts";
import { drawable } from "../../output/wrapped.ts";

/** Whose conversation it is, and how many messages it has already. */
export interface Header {
  readonly agent: Agent;
  readonly session: string;
  readonly messages: number;
}

/** The first line of a conversation. */
export function headerText({ agent, session, messages }: Header, theme: Theme): string {
  const model = `${agent.model.provider}/${agent.model.name}`;
  const history = messages === 0 ? "" : ` (${counted(messages, "message")} so far)`;
  const parts = [theme.bold(drawable(agent.name)), drawable(model), `session ${drawable(session)}${history}`];
  return parts.join(` ${theme.separator} `);
}
