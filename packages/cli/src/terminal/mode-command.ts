import { PERMISSION_MODES, type PermissionMode } from "@mdx-ai/parser";
import type { Agent } from "@mdx-ai/runtime";

/** In the order in which Shift+Tab goes through them. */
const ORDER: readonly PermissionMode[] = ["ask", "edits", "plan", "all"];

const MEANINGS: Readonly<Record<PermissionMode, string>> = {
  ask: "writing in the workspace is asked about",
  edits: "tools write in the workspace without a question",
  plan: "tools only read",
  all: "nothing is asked about that stays in the workspace, the agent directory and the sandbox",
};

export const modeLine = (mode: PermissionMode): string => `Mode ${mode}: ${MEANINGS[mode]}`;

/** Chooses the mode that follows that of the session, and returns it. */
export function nextMode(agent: Agent, session: string): PermissionMode {
  const next = ORDER[(ORDER.indexOf(agent.modeOf(session)) + 1) % ORDER.length] ?? "ask";
  agent.setMode(next);
  return next;
}

/** Runs `/mode` with these words and returns the answer. */
export function runModeCommand(words: string, agent: Agent, session: string): string {
  if (words === "")
    return `${modeLine(agent.modeOf(session))}\n/mode ${ORDER.join(" | ")} changes it; so does Shift+Tab.`;
  const mode = PERMISSION_MODES.find((known) => known === words);
  if (mode === undefined) return `There is no mode ${JSON.stringify(words)}; write /mode ${ORDER.join(" | ")}`;
  agent.setMode(mode);
  return modeLine(mode);
}
