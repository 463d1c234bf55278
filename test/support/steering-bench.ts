import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import type { Agent } from "@mdx-ai/runtime";
import { answerEvents, type StreamEvent } from "./anthropic-replies.ts";
import type { AnthropicServer } from "./anthropic-server.ts";
import { openScriptAgent } from "./script-agent.ts";

interface EventsReply {
  readonly events: StreamEvent[];
}

/** A reply that calls `bash`. */
const bash = (id: string, command: string): EventsReply => ({
  events: answerEvents([{ id, name: "bash", json: [JSON.stringify({ command })] }]),
});

/** A tool call that ends when somebody has made the file that is named after it. */
export const waiting = (id: string): EventsReply =>
  bash(id, `while [ ! -e ${id} ]; do sleep 0.01; done; echo ended ${id}`);

/** Says something while a call runs, and lets it end. */
export const during =
  (directory: string, say: (id: string) => Promise<unknown>): ((event: AgentEvent) => Promise<void>) =>
  async (event) => {
    if (event.type !== "tool_execution_start") return;
    await say(event.toolCallId);
    writeFileSync(join(directory, event.toolCallId), "");
  };

/** Opens the agent on the model of a server. */
export const open = async (directory: string, { environment }: AnthropicServer): Promise<Agent> =>
  openScriptAgent(directory, [], { model: await openModel("anthropic/claude-test", { environment }), retries: 0 });

/** Works off a prompt; `onEvent` may say something meanwhile. */
export async function work(
  events: AsyncIterable<AgentEvent>,
  onEvent: (event: AgentEvent) => unknown = () => {},
): Promise<readonly AgentEvent[]> {
  const told: AgentEvent[] = [];
  for await (const event of events) {
    told.push(event);
    await onEvent(event);
  }
  return told;
}

export const userTexts = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === "message_end" && event.message.role === "user"
      ? event.message.content.flatMap((block) => (block.type === "text" ? [block.text] : []))
      : [],
  );

export const rolesOf = async (agent: Agent): Promise<string> =>
  (await agent.session().messages()).map(({ role }) => ({ user: "u", assistant: "a", toolResult: "t" })[role]).join("");
