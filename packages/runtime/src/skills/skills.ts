import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type SkillDefinition, splitSkill } from "@mdx-ai/parser";
import { attempt } from "../attempt.ts";
import { errorMessage } from "../error-message.ts";
import { realPlaceOrSame } from "../files/real-place.ts";
import type { SkillMarks } from "../types/compaction.ts";

/** The skills of an agent directory. */
export interface SkillIndex {
  readonly skills: readonly SkillDefinition[];
  /** Absolute. */
  readonly agentDir: string;
}

const PLACEHOLDER = "{baseDir}";

/** The text of a skill file for a model: its body, with `{baseDir}` replaced. Throws the file system's error. */
const readSkill = (file: string): string => replaceBaseDir(splitSkill(readFileSync(file, "utf8")).body.trim(), file);

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
    // Empty for a file that cannot be read any more.
    skillTexts: async () => files.map((file) => attempt(() => readSkill(file)) ?? ""),
  };
}

/** A skill of the index cannot be read any more; `cause` is the error of the file system. */
export class SkillFileError extends Error {
  override readonly name = "SkillFileError";
  /** Relative to the agent directory. */
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`the skill file ${path} cannot be read: ${errorMessage(cause)}`, { cause });
    this.path = path;
  }
}

/** A `/skill:` command names a skill that the agent does not have. The message lists those it has. */
export class UnknownSkillError extends Error {
  override readonly name = "UnknownSkillError";
  /** The requested name; may be empty. */
  readonly skill: string;
  /** The names of the available skills, in their order. */
  readonly available: readonly string[];
  /** The available name that was probably meant. */
  readonly suggestion: string | undefined;

  constructor({ skill, available, suggestion }: Pick<UnknownSkillError, "skill" | "available" | "suggestion">) {
    const problem = skill === "" ? "/skill: names no skill" : `there is no skill ${JSON.stringify(skill)}`;
    const guess = suggestion === undefined ? "" : `; did you mean /skill:${suggestion}?`;
    const list = available.length === 0 ? "this agent has no skills" : `its skills are ${available.join(", ")}`;
    super(`${problem}${guess} (${list})`);
    this.skill = skill;
    this.available = available;
    this.suggestion = suggestion;
  }
}

const COMMAND = /^\s*\/skill:(.*)$/su;

/**
 * The model's version of a user's text. `/skill:name arguments` becomes the skill's body, with `{baseDir}` replaced, and the
 * arguments after a blank line; any other text stays as it is. Rejects with `UnknownSkillError` or `SkillFileError`.
 */
export async function expandSkillCommand(text: string, index: SkillIndex): Promise<string> {
  const command = COMMAND.exec(text)?.[1];
  if (command === undefined) return text;
  const { path, rest } = await findSkill(command, index);
  const body = bodyOf(join(index.agentDir, path), path);
  return [body, rest.trim()].filter((part) => part !== "").join("\n\n");
}

/** The skill whose name the command begins with, the longest if several match: a name may hold spaces. */
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

/** Rejects with `UnknownSkillError` if no skill has the name. */
export async function requireSkill(name: string, skills: readonly SkillDefinition[]): Promise<void> {
  const names = skills.map((skill) => skill.name);
  if (!names.includes(name)) throw await unknownSkill(name, names);
}

async function unknownSkill(skill: string, available: readonly string[]): Promise<UnknownSkillError> {
  const { closest } = await import("@mdx-ai/parser/suggestion");
  return new UnknownSkillError({ skill, available, suggestion: closest(skill, available) });
}

function bodyOf(file: string, path: string): string {
  try {
    return readSkill(file);
  } catch (cause) {
    throw new SkillFileError(path, cause);
  }
}
