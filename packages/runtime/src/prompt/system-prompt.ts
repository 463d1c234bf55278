import type { AgentIdentity, SkillDefinition } from "@mdx-ai/parser";
import type { Remembered } from "../types/memory.ts";
import { identityText } from "./identity-text.ts";
import { memoriesText, notesText } from "./remembered-text.ts";
import { skillsText } from "./skills-text.ts";
import { type ToolHint, toolsText } from "./tools-text.ts";

export interface SystemPromptParts {
  readonly identity: AgentIdentity;
  readonly skills: readonly SkillDefinition[];
  /** Absolute. */
  readonly agentDir: string;
  /** What the modules contribute, in their order. */
  readonly moduleSections: readonly string[];
  /** In the order in which the model gets them. */
  readonly tools: readonly ToolHint[];
  /** What the user wants to be known. */
  readonly remembered: Remembered;
}

/**
 * The system prompt: identity, AGENT.md, skills, module sections, tool hints, long-term memory, as Markdown. The same parts
 * give the same bytes, so that providers can cache it; a part that is empty leaves no heading.
 */
export function systemPrompt({ agentDir, ...parts }: SystemPromptParts): string {
  const texts = [
    ...identityText(parts.identity),
    notesText(parts.remembered.notes),
    skillsText(parts.skills),
    ...parts.moduleSections,
    toolsText(parts.tools, agentDir),
    memoriesText(parts.remembered.memories),
  ];
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n\n");
}
