import { type Diagnostic, parametersSchema, type ToolDefinition } from "@mdx-ai/parser";
import { agentText } from "./agent-text.ts";
import { parseAgentMdx } from "./parse-agent-mdx.ts";

/** A tool that tells its arguments, with what says what it takes; that starts on line 8 of an agent's text. */
export function toolTaking(takes: string): string {
  const code = "async function execute(params: object) {\n  return JSON.stringify(params);\n}";
  return `<Tool name="t" description="d">\n${takes}\n\n\`\`\`ts\n${code}\n\`\`\`\n\n</Tool>\n`;
}

/** What says what a tool takes, as a block of JSON; the JSON starts on line 9 of an agent's text. */
export function schemaBlock(json: string): string {
  return `\`\`\`json schema\n${json}\n\`\`\``;
}

/** A tool that was read, with the schema that a model is told and what is wrong with it. */
export interface ReadTaking {
  readonly tool: ToolDefinition;
  readonly schema: ReturnType<typeof parametersSchema>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads an agent with such a tool. */
export async function readTaking(takes: string): Promise<ReadTaking> {
  const { tools, diagnostics } = await parseAgentMdx(agentText(toolTaking(takes)));
  const [tool] = tools;
  if (tool === undefined) throw new Error("the tool was not read");
  return { tool, schema: parametersSchema(tool), diagnostics };
}
