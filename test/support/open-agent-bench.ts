import { type AgentEvent, answerText } from "@mdx-ai/loop";
import type { Agent } from "@mdx-ai/runtime";

export async function run(agent: Agent, text: string, session?: string): Promise<AgentEvent[]> {
  return Array.fromAsync(agent.session(session).prompt(text));
}

export const answer = (events: readonly AgentEvent[]): string => {
  const end = events.at(-1);
  return end?.type === "agent_end" ? answerText(end.messages) : "";
};

export const toolResults = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === "tool_execution_end"
      ? event.result.content.map((block) => (block.type === "text" ? block.text : block.type))
      : [],
  );

/** A module whose hooks are the given expressions; `ctx` stands for its context. */
export function moduleText(
  hooks: Partial<Record<"initialize" | "tools" | "systemPrompt" | "start" | "stop", string>>,
): string {
  return `
let ctx: any;
export default {
  describe: () => ({ name: "one", description: "One" }),
  initialize: async (context: any) => { ctx = context; ${hooks.initialize ?? ""} },
  tools: () => ${hooks.tools ?? "[]"},
  systemPrompt: () => ${hooks.systemPrompt ?? `""`},
  start: async () => { ${hooks.start ?? ""} },
  stop: () => { ${hooks.stop ?? ""} },
};
`;
}
