import type { Agent } from "@mdx-ai/runtime";
import { drawable } from "../../output/columns.ts";
import { counted } from "../../output/figures.ts";
import type { Theme } from "../../output/theme.ts";

const frameLength = 100;
const secondsShownFrom = 2000;

/** One line with the current activity, animated. */
export function statusLine(activity: string, since: number, theme: Theme): string {
  const elapsed = Math.max(0, performance.now() - since);
  const frame = theme.spinner[Math.floor(elapsed / frameLength) % theme.spinner.length] ?? "";
  const seconds = elapsed < secondsShownFrom ? "" : ` ${theme.separator} ${Math.floor(elapsed / 1000)} s`;
  return `${theme.accent(frame)} ${activity}${theme.dim(`${seconds} ${theme.separator} Esc stops`)}`;
}

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
