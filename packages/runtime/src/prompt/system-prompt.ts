import type { AgentIdentity, SkillDefinition } from "@mdx-ai/parser";
import { identityText } from "./identity-text.ts";
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
}

/**
 * The system prompt: identity, skills, module sections, tool hints, as Markdown. The same parts give the same bytes,
 * so that providers can cache it; a part that is empty leaves no heading.
 */
export function systemPrompt({ identity, skills, agentDir, moduleSections, tools }: SystemPromptParts): string {
  const texts = [...identityText(identity), skillsText(skills), ...moduleSections, toolsText(tools, agentDir)];
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n\n");
}
