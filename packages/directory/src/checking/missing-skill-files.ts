import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { AgentDirectory, Diagnostic, SkillDefinition, SkillToolDefinition, SourcePoint } from "@mdx-ai/parser";
import { pythonTarget } from "@mdx-ai/parser/entrypoints";

/** Reports the files that the tools of skills need and that are missing, at the entrypoints. `texts` are those of the skills. */
export function missingSkillFiles(
  { path: agentDir, definition }: AgentDirectory,
  texts: ReadonlyMap<string, string>,
): readonly Diagnostic[] {
  return definition.skills.flatMap((skill) => {
    const folder = dirname(resolve(agentDir, skill.path));
    return (skill.tools ?? []).flatMap((tool): readonly Diagnostic[] => {
      const problem = problemOf(skill, tool, folder);
      if (problem === undefined) return [];
      const point = pointOf(tool, texts.get(skill.path) ?? "");
      return [{ file: skill.path, ...point, severity: "warning", rule: "skill-entrypoint", ...problem }];
    });
  });
}

function problemOf(
  { proto }: SkillDefinition,
  { entrypoint }: SkillToolDefinition,
  folder: string,
): Pick<Diagnostic, "message" | "hint"> | undefined {
  if (entrypoint.scheme === "grpc" && proto !== undefined && !existsSync(join(folder, proto))) {
    return {
      message: `no file \`${proto}\` in the skill's folder`,
      hint: "add it, or remove `proto:` to ask the server",
    };
  }
  const target = entrypoint.scheme === "python" ? pythonTarget(entrypoint.target) : undefined;
  if (target?.kind !== "function" || hasModule(folder, target.module)) return undefined;
  const file = `${target.module.replaceAll(".", "/")}.py`;
  const message = `no \`${file}\` in the skill's folder: the module \`${target.module}\` must be installed for python3`;
  return { message, hint: "add the file, or check the name of the module" };
}

function hasModule(folder: string, module: string): boolean {
  const path = join(folder, ...module.split("."));
  return existsSync(`${path}.py`) || existsSync(path);
}

/** Where the target of a tool's entrypoint is written; the tool's heading if that is hard to find. */
function pointOf({ entrypoint, position }: SkillToolDefinition, text: string): SourcePoint {
  const lines = text.split("\n");
  const index = lines.findIndex((line, at) => at >= position.line && /^entrypoint\s*:/.test(line));
  const column = lines[index]?.indexOf(entrypoint.target) ?? -1;
  return column === -1 ? position : { line: index + 1, column: column + 1 };
}
