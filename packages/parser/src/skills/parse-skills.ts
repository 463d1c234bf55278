import { diskDiagnostics, proseFiles, type SkillFiles, textToParse } from "../agent-files.ts";
import type { ProseFile } from "../types/agent-definition.ts";
import type { Diagnostic } from "../types/diagnostic.ts";
import type { SkillDefinition } from "../types/skill-definition.ts";
import { distinctSkills } from "./name-clashes.ts";
import { parseSkill } from "./parse-skill.ts";

/** What the files of skills say. */
export interface ParsedSkills {
  /** With different names. */
  readonly skills: readonly SkillDefinition[];
  /** Those that were parsed. */
  readonly files: readonly ProseFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses the files of skills; of several with one name the first counts. Reads no disk; never throws. */
export function parseSkills(files: SkillFiles): ParsedSkills {
  const diagnostics = [...files.skills, ...files.folders].flatMap(diskDiagnostics);
  const parsed = files.skills.flatMap((file) => {
    const text = textToParse(file);
    if (text === undefined) return [];
    const { skill, diagnostics: found } = parseSkill(text, file.path);
    diagnostics.push(...found);
    return skill ?? [];
  });
  const { skills, diagnostics: clashes } = distinctSkills(parsed);
  return { skills, files: proseFiles(files.skills), diagnostics: [...diagnostics, ...clashes] };
}
