import type { ToolSchema } from "@mdx-ai/models";
import type { ToolDefinition } from "@mdx-ai/parser";
import type { Agent } from "@mdx-ai/runtime";

/** Of a text: its length, and about as many tokens as a provider would count. */
export interface TextSize {
  readonly characters: number;
  readonly tokens: number;
}

/** How many examples a tool has, and how many of them a model sees. */
export interface ExampleCount {
  readonly tool: string;
  readonly total: number;
  readonly fewShot: number;
}

/** What goes to a model before the first word of a user. */
export interface Inspection {
  readonly name: string;
  readonly system: string;
  /** In the order and under the names that a model sees. */
  readonly tools: readonly ToolSchema[];
  /** Of the tools that have some, under the same names. */
  readonly examples: readonly ExampleCount[];
  readonly sizes: { readonly system: TextSize; readonly tools: TextSize; readonly total: TextSize };
}

/** Looks at an open agent, whose inline tools are `definitions`. Rejects with what the code in its prose throws. */
export async function inspect(agent: Agent, definitions: readonly ToolDefinition[]): Promise<Inspection> {
  const system = await agent.systemPrompt();
  const tools = agent.toolSchemas;
  const toolsText = JSON.stringify(tools);
  const sizes = { system: sizeOf(system), tools: sizeOf(toolsText), total: sizeOf(system + toolsText) };
  return { name: agent.name, system, tools, examples: exampleCounts(agent, definitions), sizes };
}

/** Tools and schemas are in the same order; of inline tools the names are those of the definitions. */
function exampleCounts(agent: Agent, definitions: readonly ToolDefinition[]): readonly ExampleCount[] {
  return agent.toolSchemas.flatMap(({ name: tool }, index) => {
    const { examples = [] } = definitions.find(({ name }) => name === agent.tools[index]?.name) ?? {};
    const fewShot = examples.filter((example) => example.fewShot).length;
    return examples.length === 0 ? [] : [{ tool, total: examples.length, fewShot }];
  });
}

/** English text and JSON take about four characters a token. */
const CHARACTERS_PER_TOKEN = 4;

const sizeOf = (text: string): TextSize => ({
  characters: text.length,
  tokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
});
