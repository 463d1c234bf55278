import type { ToolSchema } from "@mdx-ai/models";
import type { Agent } from "@mdx-ai/runtime";

/** Of a text: its length, and about as many tokens as a provider would count. */
export interface TextSize {
  readonly characters: number;
  readonly tokens: number;
}

/** What goes to a model before the first word of a user. */
export interface Inspection {
  readonly name: string;
  readonly system: string;
  /** In the order and under the names that a model sees. */
  readonly tools: readonly ToolSchema[];
  readonly sizes: { readonly system: TextSize; readonly tools: TextSize; readonly total: TextSize };
}

/** Looks at an open agent. Rejects with what the code in its prose throws. */
export async function inspect(agent: Agent): Promise<Inspection> {
  const system = await agent.systemPrompt();
  const tools = agent.toolSchemas;
  const toolsText = JSON.stringify(tools);
  const sizes = { system: sizeOf(system), tools: sizeOf(toolsText), total: sizeOf(system + toolsText) };
  return { name: agent.name, system, tools, sizes };
}

/** English text and JSON take about four characters a token. */
const CHARACTERS_PER_TOKEN = 4;

const sizeOf = (text: string): TextSize => ({
  characters: text.length,
  tokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
});
