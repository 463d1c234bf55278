import { isSent } from "@mdx-ai/loop";
import type { SkillDefinition } from "@mdx-ai/parser";
import { disabledSkills, isEnabled, NO_CHOICES, type OpenedSession, type SkillChoices } from "@mdx-ai/sessions";
import type { ToolSnapshot } from "@mdx-ai/tools";
import { sentText, triggeredSkills } from "../skills/skill-contexts.ts";
import type { AgentSkill } from "../types/session.ts";
import type { LoadedAgent } from "./load-agent.ts";

/** What a session has of an agent: its enabled skills, and the tools without those of its disabled ones. */
export interface SessionOffer {
  readonly skills: readonly SkillDefinition[];
  readonly snapshot: ToolSnapshot;
}

/** The offer to a session with these choices as it is now; without choices, as the authors of the skills say. */
export function sessionOffer({ options, sources }: LoadedAgent, choices: SkillChoices = NO_CHOICES): SessionOffer {
  const { skills } = options.directory.definition;
  return {
    skills: skills.filter((skill) => isEnabled(skill, choices)),
    snapshot: sources.snapshot(disabledSkills(skills, choices)),
  };
}

/** The same once the sources of its tools are prepared, such as connected to their servers. Never rejects. */
export async function preparedOffer(
  loaded: LoadedAgent,
  choices: SkillChoices,
  signal: AbortSignal,
): Promise<SessionOffer> {
  const { skills } = loaded.options.directory.definition;
  await loaded.sources.prepare(disabledSkills(skills, choices), signal);
  return sessionOffer(loaded, choices);
}

interface InputSurroundings {
  readonly session: OpenedSession;
  readonly loaded: LoadedAgent;
  readonly offer: SessionOffer;
}

/** The skills that an input of the user triggers, without those whose text the model has already. */
export function newSkills(input: string, { session, loaded, offer }: InputSurroundings): readonly SkillDefinition[] {
  const { directory } = loaded.options;
  const triggered = triggeredSkills(input, offer.skills);
  return triggered.filter((skill) => {
    const text = sentText(skill, directory.path);
    return !input.includes(text) && !isSent(text, session.conversation, loaded.settings.context);
  });
}

/** As `Session.skills`. */
export function agentSkills({ options, sources }: LoadedAgent, choices: SkillChoices): readonly AgentSkill[] {
  return options.directory.definition.skills.map((definition) => ({
    definition,
    isEnabled: isEnabled(definition, choices),
    tools: sources.toolsOfSkill(definition.name).map(({ name }) => name),
    tags: [...new Set([...(definition.tags ?? []), ...(definition.toolTags ?? [])])],
  }));
}
