import { isEnabled, type SkillChoices } from "../skills/skill-choices.ts";
import type { AgentSkill } from "../types/agent.ts";
import type { LoadedAgent } from "./load-agent.ts";

/** As `Agent.skills`. */
export function agentSkills({ options, sources }: LoadedAgent, choices: SkillChoices): readonly AgentSkill[] {
  return options.directory.definition.skills.map((definition) => ({
    definition,
    isEnabled: isEnabled(definition, choices),
    tools: sources.toolsOfSkill(definition.name).map(({ name }) => name),
    tags: [...new Set([...(definition.tags ?? []), ...(definition.toolTags ?? [])])],
  }));
}
