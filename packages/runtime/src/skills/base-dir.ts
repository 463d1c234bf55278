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

/** A skill's text with every `{baseDir}` replaced by the absolute path of the skill's folder. */
export function replaceBaseDir(text: string, skillFile: string): string {
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
    const file = realPath(absolutePath);
    const skill = skills.find(({ path }) => realPath(join(agentDir, path)) === file);
    return skill ? replaceBaseDir(text, join(agentDir, skill.path)) : text;
  };
}

/** The path without links; the path itself if nothing is there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
