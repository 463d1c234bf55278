import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { splitSkill } from "@mdx-ai/parser";
import { replaceBaseDir, type SkillIndex } from "./base-dir.ts";
import { SkillFileError } from "./skill-file-error.ts";
import { UnknownSkillError } from "./unknown-skill-error.ts";

const COMMAND = /^\s*\/skill:(.*)$/su;

/**
 * A user's text as the model gets it. `/skill:name arguments` becomes the skill's body, with `{baseDir}` replaced, and the
 * arguments after a blank line; any other text stays as it is. Rejects with `UnknownSkillError`, which tells the names,
 * or `SkillFileError`.
 */
export async function expandSkillCommand(text: string, index: SkillIndex): Promise<string> {
  const command = COMMAND.exec(text)?.[1];
  if (command === undefined) return text;
  const { path, rest } = await findSkill(command, index);
  const file = join(index.agentDir, path);
  const body = replaceBaseDir(splitSkill(await readSkill(file, path)).body.trim(), file);
  return [body, rest.trim()].filter((part) => part !== "").join("\n\n");
}

/** The skill whose name the command begins with, the longest if names begin alike: a name may hold spaces. */
async function findSkill(command: string, { skills }: SkillIndex): Promise<{ path: string; rest: string }> {
  const named = skills.filter(({ name }) => startsWithWord(command, name));
  const [skill] = named.sort((one, other) => other.name.length - one.name.length);
  if (skill) return { path: skill.path, rest: command.slice(skill.name.length) };
  throw await unknownSkill(
    /^\S*/u.exec(command)?.[0] ?? "",
    skills.map(({ name }) => name),
  );
}

function startsWithWord(text: string, word: string): boolean {
  return word !== "" && text.startsWith(word) && !/^\S/u.test(text.slice(word.length));
}

async function unknownSkill(skill: string, available: readonly string[]): Promise<UnknownSkillError> {
  const { closestMatch } = await import("leven");
  const maxDistance = Math.max(1, Math.floor(skill.length / 2));
  const suggestion =
    available.find((name) => name.toLowerCase() === skill.toLowerCase()) ??
    closestMatch(skill, available, { maxDistance });
  return new UnknownSkillError({ skill, available, suggestion });
}

async function readSkill(file: string, path: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new SkillFileError(path, cause);
  }
}
