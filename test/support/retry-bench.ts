import type { AgentEvent } from "@mdx-ai/loop";
import { type AgentFiles, agentDirectory } from "./agent-directory.ts";
import type { Reply } from "./replies.ts";
import { openScriptAgent } from "./script-agent.ts";

export const done: Reply = { text: "done" };

/** The events of a prompt. */
export async function run(
  replies: readonly Reply[],
  retries: number | readonly number[] | undefined,
  files: AgentFiles = {},
): Promise<readonly AgentEvent[]> {
  using directory = agentDirectory(files);
  const agent = await openScriptAgent(directory.path, replies, retries === undefined ? {} : { retries });
  const events = await Array.fromAsync(agent.session().prompt("go"));
  await agent.close();
  return events;
}
