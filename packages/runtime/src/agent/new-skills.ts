import type { SkillDefinition } from "@mdx-ai/parser";
import { isSent } from "../context/sent-messages.ts";
import type { Session } from "../session/session.ts";
import { sentText, triggeredSkills } from "../skills/skill-contexts.ts";
import type { LoadedAgent } from "./load-agent.ts";
import type { SessionOffer } from "./session-offer.ts";

interface InputSurroundings {
  readonly session: Session;
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
