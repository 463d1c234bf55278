import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SkillDefinition } from "@mdx-ai/parser";

/** The skills of an agent directory. */
export interface SkillIndex {
  readonly skills: readonly SkillDefinition[];
  /** Absolute. */
  readonly agentDir: string;
}

const PLACEHOLDER = "{baseDir}";

/** A skill's text with every `{baseDir}` replaced by the absolute path of the folder that the skill lies in. */
export function replaceBaseDir(text: string, skillFile: string): string {
  // A function, because a replacement string would give `$` in a path a meaning.
  return text.replaceAll(PLACEHOLDER, () => dirname(skillFile));
}

/**
 * What `read_file` does to a text that it has read: in the file of an indexed skill, `{baseDir}` is replaced.
 * Files are compared by their real paths, so that no detour or link around the index exists.
 */
export function baseDirTransform({ skills, agentDir }: SkillIndex): (absolutePath: string, text: string) => string {
  return (absolutePath, text) => {
    if (!text.includes(PLACEHOLDER)) return text;
    const file = realPath(absolutePath);
    const skill = skills.find(({ path }) => realPath(join(agentDir, path)) === file);
    return skill ? replaceBaseDir(text, join(agentDir, skill.path)) : text;
  };
}

/** Where a path leads; the path itself where nothing is there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
