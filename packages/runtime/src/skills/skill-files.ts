import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type SkillDefinition, splitSkill } from "@mdx-ai/parser";
import { realPlaceOrSame } from "../files/real-place.ts";
import type { SkillMarks } from "../types/compaction.ts";

/** The skills of an agent directory. */
export interface SkillIndex {
  readonly skills: readonly SkillDefinition[];
  /** Absolute. */
  readonly agentDir: string;
}

const PLACEHOLDER = "{baseDir}";

/** What a model receives of a skill: the body of its file's text, with `{baseDir}` replaced. */
export const skillBody = (text: string, skillFile: string): string =>
  replaceBaseDir(splitSkill(text).body.trim(), skillFile);

/** A skill's text with every `{baseDir}` replaced by the absolute path of the skill's folder. */
function replaceBaseDir(text: string, skillFile: string): string {
  // In a replacement string, a `$` of the path would have a meaning.
  return text.replaceAll(PLACEHOLDER, () => dirname(skillFile));
}

/**
 * A transformation for texts that `read_file` has read: replaces `{baseDir}` in the file of an indexed skill. Files are
 * compared by their real paths, so that no detour and no link avoids the index.
 */
export function baseDirTransform({ skills, agentDir }: SkillIndex): (absolutePath: string, text: string) => string {
  return (absolutePath, text) => {
    if (!text.includes(PLACEHOLDER)) return text;
    const file = realPlaceOrSame(absolutePath);
    const skill = skills.find(({ path }) => realPlaceOrSame(join(agentDir, path)) === file);
    return skill ? replaceBaseDir(text, join(agentDir, skill.path)) : text;
  };
}

/** Marks the calls of the tool `readTool` that read a skill. Their relative paths start at the agent directory. */
export function skillMarks({ skills, agentDir }: SkillIndex, readTool: string): SkillMarks {
  const files = skills.map(({ path }) => join(agentDir, path));
  return {
    keeps: ({ name, arguments: { path } }) => {
      if (name !== readTool || typeof path !== "string" || files.length === 0) return false;
      const read = realPlaceOrSame(resolve(agentDir, path));
      return files.some((file) => realPlaceOrSame(file) === read);
    },
    skillTexts: async () => files.map(skillText),
  };
}

/** Empty if the file cannot be read any more. */
function skillText(file: string): string {
  try {
    return skillBody(readFileSync(file, "utf8"), file);
  } catch {
    return "";
  }
}
