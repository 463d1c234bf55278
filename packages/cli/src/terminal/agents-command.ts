import { plainLine } from "@mdx-ai/directory/text";
import { contentText } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import type { RunningAgent, Session } from "@mdx-ai/runtime";

/** Runs `/agents`: lists the agents that work for a session, shows what one has done, or stops one. Returns the answer. */
export async function runAgentsCommand(words: string, { agents }: Pick<Session, "agents">): Promise<string> {
  const [, stop, number] = /^\s*(stop\s+)?(\d*)\s*$/.exec(words) ?? [];
  if (number === undefined) return "Write /agents, /agents N, or /agents stop N.";
  if (agents.length === 0) return "No agent works for this session.";
  if (number === "") return agents.map(agentLine).join("\n");
  const agent = agents[Number(number) - 1];
  if (agent === undefined) return `There is no agent ${number}; /agents lists ${agents.length}.`;
  if (stop === undefined) return `${agent.agent}, session ${agent.session}\n\n${messagesText(await agent.messages())}`;
  agent.stop();
  return `Stopped ${plainLine(agent.agent)}.`;
}

const agentLine = ({ agent, line, isBackground }: RunningAgent, index: number): string =>
  plainLine(`${index + 1}  ${agent}${isBackground ? " (background)" : ""}  ${line}`);

const messagesText = (messages: readonly Message[]): string =>
  messages
    .map((message) => {
      const calls =
        message.role === "assistant"
          ? message.content.flatMap((block) =>
              block.type === "toolCall" ? [`${block.name} ${JSON.stringify(block.arguments)}`] : [],
            )
          : [];
      return [`${ROLES[message.role]}:`, contentText(message.content), ...calls]
        .filter((text) => text !== "")
        .join("\n");
    })
    .join("\n\n");

const ROLES: Readonly<Record<Message["role"], string>> = { user: "task", assistant: "agent", toolResult: "result" };
