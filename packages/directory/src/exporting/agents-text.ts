import { join } from "node:path";
import { shellWord } from "@mdx-ai/base";
import type { AgentDefinition } from "@mdx-ai/parser";
import { sampleArguments } from "./tool-text.ts";

/** AGENTS.md for programs that read instructions: the agent's prose, and how to call its tools and read its skills from a shell. */
export function agentsText({ identity, tools, skills }: AgentDefinition, directory: string): string {
  const parts = [identity.prose, toolsPart(tools, directory), skillsPart(skills, directory)];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

function toolsPart(tools: AgentDefinition["tools"], directory: string): string {
  if (tools.length === 0) return "";
  const lines = tools.map((tool) => {
    const call = `mdx-ai tool ${shellWord(directory)} ${shellWord(tool.name)}`;
    const args = JSON.stringify(sampleArguments(tool));
    return `- \`${tool.name}\`: ${oneLine(tool.description)}\n\n  \`\`\`sh\n  ${call}${args === "{}" ? "" : ` --json ${shellWord(args)}`}\n  \`\`\``;
  });
  return `## Tools\n\nCall these tools from a shell; the result is on standard output.\n\n${lines.join("\n\n")}`;
}

function skillsPart(skills: AgentDefinition["skills"], directory: string): string {
  if (skills.length === 0) return "";
  const lines = skills.map(
    ({ name, description, path }) => `- [${name}](${encodeURI(join(directory, path))}): ${oneLine(description)}`,
  );
  return `## Skills\n\nRead the file of a skill before you do what it is for.\n\n${lines.join("\n")}`;
}
