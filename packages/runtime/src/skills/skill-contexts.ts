import { dirname } from "node:path";
import type { SkillDefinition } from "@mdx-ai/parser";
import { skillFile } from "@mdx-ai/tools";

const PLACEHOLDER = "{baseDir}";

/** A skill's text with every `{baseDir}` replaced by the absolute path of the skill's folder. */
export function replaceBaseDir(text: string, skillFile: string): string {
  // A replacement string would interpret a `$` in the path.
  return text.replaceAll(PLACEHOLDER, () => dirname(skillFile));
}

/** The text of a skill that is part of every prompt, with a heading. */
export const skillInstructions = (skill: SkillDefinition, agentDir: string): string =>
  `--- ${lineOf(skill.name)} instructions ---\n${sentText(skill, agentDir)}`;

/** The text of a skill that a message carries, with a heading. */
export const skillContext = (skill: SkillDefinition, agentDir: string): string =>
  `--- ${lineOf(skill.name)} skill context ---\n${sentText(skill, agentDir)}`;

/** The name of the skill whose text this is; undefined for any other text. */
export const contextName = (text: string): string | undefined => /^--- (.+) skill context ---\n/.exec(text)?.[1];

const lineOf = (name: string): string => name.replace(/\s+/g, " ").trim();

/** The text of a skill that is sent unrequested, as a model receives it. */
export const sentText = (skill: SkillDefinition, agentDir: string): string =>
  replaceBaseDir(skill.text ?? "", skillFile(skill, agentDir));

/** The skills whose triggers the user's text contains, ignoring case, without skills that are part of every prompt. */
export function triggeredSkills(text: string, skills: readonly SkillDefinition[]): readonly SkillDefinition[] {
  const lower = text.toLowerCase();
  return skills.filter(
    ({ triggers = [], text: sent, alwaysInject }) =>
      sent !== undefined && alwaysInject !== true && triggers.some((trigger) => lower.includes(trigger.toLowerCase())),
  );
}
