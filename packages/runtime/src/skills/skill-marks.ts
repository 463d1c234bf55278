import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { splitSkill } from "@mdx-ai/parser";
import type { SkillMarks } from "../types/skill-marks.ts";
import { realPath, replaceBaseDir, type SkillIndex } from "./base-dir.ts";

/** Marks the calls of the tool `readTool` that read a skill. Their relative paths start at the agent directory. */
export function skillMarks({ skills, agentDir }: SkillIndex, readTool: string): SkillMarks {
  const files = skills.map(({ path }) => join(agentDir, path));
  return {
    keeps: ({ name, arguments: { path } }) => {
      if (name !== readTool || typeof path !== "string" || files.length === 0) return false;
      const read = realPath(resolve(agentDir, path));
      return files.some((file) => realPath(file) === read);
    },
    skillTexts: async () => files.map(skillText),
  };
}

/** Empty if the file cannot be read any more. */
function skillText(file: string): string {
  try {
    return replaceBaseDir(splitSkill(readFileSync(file, "utf8")).body.trim(), file);
  } catch {
    return "";
  }
}
