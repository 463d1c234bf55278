import { join } from "node:path";
import { isList, isRecord, jsonValue } from "@mdx-ai/base";
import { readSmallFile, replaceFileSync } from "@mdx-ai/base/disk";
import type { SkillDefinition } from "@mdx-ai/parser";

/** The skills that the user enabled or disabled in a session, by name. The default applies to other skills. */
export interface SkillChoices {
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
}

export const NO_CHOICES: SkillChoices = { enabled: [], disabled: [] };

export const hasChoices = ({ enabled, disabled }: SkillChoices): boolean => enabled.length + disabled.length > 0;

/** Whether a skill is enabled in a session: by the user's choice, else by the author's default. */
export function isEnabled({ name, enabledByDefault = true }: SkillDefinition, choices: SkillChoices): boolean {
  if (choices.disabled.includes(name)) return false;
  return choices.enabled.includes(name) || enabledByDefault;
}

/** The names of the skills that are disabled in a session. */
export const disabledSkills = (skills: readonly SkillDefinition[], choices: SkillChoices): ReadonlySet<string> =>
  new Set(skills.flatMap((skill) => (isEnabled(skill, choices) ? [] : skill.name)));

/** The choices with a changed one for a skill. */
export function choiceFor(name: string, enabled: boolean, choices: SkillChoices): SkillChoices {
  const others = (names: readonly string[]): readonly string[] => names.filter((other) => other !== name);
  return {
    enabled: enabled ? [...others(choices.enabled), name] : others(choices.enabled),
    disabled: enabled ? others(choices.disabled) : [...others(choices.disabled), name],
  };
}

/** The file in a session's folder that holds its choices. */
const SKILLS_FILE = "skills.json";

/** Bytes; names of skills are short. */
const MAX_LENGTH = 1024 * 1024;

/** Reads the choices of a session's folder; none if the file is missing or invalid. Never throws. */
export function readSkillChoices(folder: string): SkillChoices {
  const value = jsonValue(readSmallFile(join(folder, SKILLS_FILE), MAX_LENGTH) ?? "");
  return isRecord(value) ? { enabled: namesOf(value["enabled"]), disabled: namesOf(value["disabled"]) } : NO_CHOICES;
}

const namesOf = (value: unknown): readonly string[] =>
  isList(value, () => true) ? value.filter((name) => typeof name === "string") : [];

/** Writes the choices of a session. Throws the file system's error. */
export function keepSkillChoices(folder: string, { enabled, disabled }: SkillChoices): void {
  replaceFileSync({ path: join(folder, SKILLS_FILE), text: `${JSON.stringify({ enabled, disabled })}\n` });
}

/** Copies the choices of a session to the folder of a new one. Throws the file system's error. */
export function copySkillChoices(from: string, to: string): void {
  const choices = readSkillChoices(from);
  if (hasChoices(choices)) keepSkillChoices(to, choices);
}
