import { locate, quoted } from "./report.ts";
import { SourceText } from "./source-text.ts";
import type { Diagnostic } from "./types/diagnostic.ts";
import type { SkillDefinition } from "./types/skill-definition.ts";

/** A skill with the name of another one, which is nearer and used. */
export function secondSkill(skill: SkillDefinition, first: SkillDefinition): Diagnostic {
  const message = `second skill named ${quoted(skill.name)}`;
  const hint = `rename it: ${first.path} has the same name and is used`;
  return locate({ rule: "skill-name-duplicate", offset: 0, message, hint }, new SourceText(""), skill.path);
}
