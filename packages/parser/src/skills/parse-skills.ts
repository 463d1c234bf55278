import { diskDiagnostics, type SkillFiles, textToParse } from "../agent-files.ts";
import { locate, quoted } from "../report.ts";
import { SourceText } from "../source-text.ts";
import type { Diagnostic, Parsed } from "../types/diagnostic.ts";
import type { SkillDefinition } from "../types/skill-definition.ts";
import { parseSkill } from "./parse-skill.ts";

/** Parses the files of skills; of several with one name the first counts. Reads no disk; never throws. */
export function parseSkills(files: SkillFiles): Parsed<readonly SkillDefinition[]> {
  const diagnostics = [...files.skills, ...files.folders].flatMap(diskDiagnostics);
  const parsed = files.skills.flatMap((file) => {
    const text = textToParse(file);
    if (text === undefined) return [];
    const { definition, diagnostics: found } = parseSkill(text, file.path);
    diagnostics.push(...found);
    return definition ?? [];
  });
  const { definition, diagnostics: clashes } = distinctSkills(parsed);
  return { definition, diagnostics: [...diagnostics, ...clashes] };
}

/** Of several skills with one name the first, those of `before` included; a warning for each that is left out. */
export function distinctSkills(
  skills: readonly SkillDefinition[],
  before: readonly SkillDefinition[] = [],
): Parsed<readonly SkillDefinition[]> {
  const byName = new Map(before.map((skill) => [skill.name, skill]));
  const diagnostics = skills.flatMap((skill) => {
    const first = byName.get(skill.name);
    if (first === undefined) byName.set(skill.name, skill);
    return first === undefined ? [] : [secondSkill(skill, first)];
  });
  return { definition: [...byName.values()], diagnostics };
}

function secondSkill(skill: SkillDefinition, first: SkillDefinition): Diagnostic {
  const message = `second skill named ${quoted(skill.name)}`;
  const hint = `rename it: ${first.path} has the same name and is used`;
  return locate({ rule: "skill-name-duplicate", offset: 0, message, hint }, new SourceText(""), skill.path);
}

/** Warns of tools of skills whose names others have: of several that a session has, only the first can be called. */
export function secondTools(
  tools: readonly { readonly name: string }[],
  skills: readonly SkillDefinition[],
): readonly Diagnostic[] {
  const owners = new Map(tools.map(({ name }) => [name, "agent.mdx"]));
  return skills.flatMap((skill) =>
    (skill.tools ?? []).flatMap(({ name, position }) => {
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, skill.path);
      if (owner === undefined || owner === skill.path) return [];
      const message = `second tool named ${quoted(name)}`;
      const hint = `rename it: ${owner} has a tool of this name, which is used where a session has both`;
      const problem = { rule: "skill-tool" as const, offset: 0, message, hint };
      return [{ ...locate(problem, new SourceText(""), skill.path), ...position }];
    }),
  );
}
