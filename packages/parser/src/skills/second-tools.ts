import { locate, quoted } from "../report.ts";
import { SourceText } from "../source-text.ts";
import type { Diagnostic } from "../types/diagnostic.ts";
import type { SkillDefinition } from "../types/skill-definition.ts";

interface NamedTool {
  readonly name: string;
}

/** Warns of tools of skills whose names others have: of several that a session has, only the first can be called. */
export function secondTools(tools: readonly NamedTool[], skills: readonly SkillDefinition[]): readonly Diagnostic[] {
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
