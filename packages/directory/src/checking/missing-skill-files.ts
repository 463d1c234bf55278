import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { AgentDirectory, Diagnostic, SkillToolDefinition, SourcePoint } from "@mdx-ai/parser";
import { neededFile } from "@mdx-ai/parser/entrypoints";

/** Reports missing files of skill tools, at their entrypoints. `texts` are the texts of the skills. */
export function missingSkillFiles(
  { path: agentDir, definition }: AgentDirectory,
  texts: ReadonlyMap<string, string>,
): readonly Diagnostic[] {
  return definition.skills.flatMap((skill) => {
    const folder = dirname(resolve(agentDir, skill.path));
    return (skill.tools ?? []).flatMap((tool): readonly Diagnostic[] => {
      const needed = neededFile(tool.entrypoint);
      if (needed === undefined || needed.paths.some((path) => existsSync(join(folder, path)))) return [];
      const { message, hint } = needed;
      const point = pointOf(tool, texts.get(skill.path) ?? "");
      return [{ file: skill.path, ...point, severity: "warning", rule: "skill-entrypoint", message, hint }];
    });
  });
}

/** The position of an entrypoint's target; the tool's heading if the target is hard to find. */
function pointOf({ entrypoint, position }: SkillToolDefinition, text: string): SourcePoint {
  const lines = text.split("\n");
  const index = lines.findIndex((line, at) => at >= position.line && /^entrypoint\s*:/.test(line));
  const column = lines[index]?.indexOf(entrypoint.target) ?? -1;
  return column === -1 ? position : { line: index + 1, column: column + 1 };
}
