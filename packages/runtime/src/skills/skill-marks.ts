import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ToolCall } from "@mdx-ai/models";
import { splitSkill } from "@mdx-ai/parser";
import { realPath, replaceBaseDir, type SkillIndex } from "./base-dir.ts";

/** What tells the contents of an agent's skills in a transcript. */
interface IndexMarks {
  /** Whether a call reads the file of a skill. */
  keeps(call: ToolCall): boolean;
  /** The bodies of all skills as `/skill:` commands put them into inputs. Never rejects. */
  skillTexts(): Promise<readonly string[]>;
}

/** The marks of the skills of an index, for calls of the tool `readTool`, whose relative paths start at the agent directory. */
export function skillMarks({ skills, agentDir }: SkillIndex, readTool: string): IndexMarks {
  const files = skills.map(({ path }) => join(agentDir, path));
  return {
    keeps: ({ name, arguments: { path } }) => {
      if (name !== readTool || typeof path !== "string" || files.length === 0) return false;
      const read = realPath(resolve(agentDir, path));
      return files.some((file) => realPath(file) === read);
    },
    skillTexts: () => Promise.all(files.map(skillText)),
  };
}

/** Empty where the file cannot be read any more. */
async function skillText(file: string): Promise<string> {
  try {
    return replaceBaseDir(splitSkill(await readFile(file, "utf8")).body.trim(), file);
  } catch {
    return "";
  }
}
