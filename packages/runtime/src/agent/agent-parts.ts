import type { ToolSchema } from "@mdx-ai/models";
import type { AgentDefinition } from "@mdx-ai/parser";
import type { AgentParts } from "../history/session-history.ts";
import type { Remembered } from "../types/memory.ts";

/** What a model receives of an agent. */
export interface ToldParts {
  readonly definition: AgentDefinition;
  /** What modules add to the system prompt. */
  readonly moduleSections: readonly string[];
  readonly tools: readonly ToolSchema[];
  /** What the user wants to be known. */
  readonly remembered: Remembered;
}

/** The parts of an agent that a model receives, by names that its author knows, each with a hash of its text. */
export function agentParts({ definition, moduleSections, tools, remembered }: ToldParts): AgentParts {
  const { identity, skills, program } = definition;
  const { name, introduction, purpose, capabilities, constraints, personality, sections } = identity;
  const parts: [name: string, text: string][] = [
    ["name", name],
    ["introduction", introduction],
    ['section "Purpose"', purpose],
    ['section "Capabilities"', capabilities.join("\n")],
    ['section "Constraints"', constraints.join("\n")],
    ['section "Personality"', personality],
    ...sections.map(({ title, body }): [string, string] => [`section "${title}"`, body]),
    ["code of the prose", program ?? ""],
    ["AGENT.md", remembered.notes?.text ?? ""],
    ...skills.map((skill): [string, string] => [`skill "${skill.name}"`, skill.description]),
    ...moduleSections.map((text, place): [string, string] => [`section ${place + 1} of the modules`, text]),
    ...tools.flatMap((tool): [string, string][] => [
      [`description of tool ${tool.name}`, tool.description],
      [`parameters of tool ${tool.name}`, JSON.stringify(tool.parameters)],
    ]),
    ["long-term memory", remembered.memories.map(({ content }) => content).join("\n")],
  ];
  return Object.fromEntries(parts.filter(([, text]) => text !== "").map(([part, text]) => [part, hashOf(text)]));
}

const hashOf = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 16);
