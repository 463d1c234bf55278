import type { AgentEvent } from "@mdx-ai/loop";

export const outcomeOf = (events: readonly AgentEvent[]): string => {
  const end = events.at(-1);
  return end?.type === "agent_end" ? end.outcome : "no end";
};

/** A module that asks for a prompt in the hook that is named, and looks at no answer. */
export const careless = (hook: "start" | "stop" | "tool"): string => `
let ctx;
const tool = {
  name: "later",
  description: "Asks later",
  parameters: { type: "object" },
  execute: async () => { ctx.prompt("from the tool"); return "asked"; },
};
export default {
  describe: () => ({ name: "careless", description: "Careless" }),
  initialize: async (context) => { ctx = context; },
  tools: () => [tool],
  systemPrompt: () => "",
  start: async () => { ${hook === "start" ? 'ctx.prompt("from start");' : ""} },
  stop: () => { ${hook === "stop" ? 'ctx.prompt("from stop");' : ""} },
};
`;
