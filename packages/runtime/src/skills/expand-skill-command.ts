import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../error-message.ts";
import { type SkillIndex, skillBody } from "./skill-files.ts";

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

interface UnknownSkillOptions {
  /** The requested name; may be empty. */
  readonly skill: string;
  /** The names of the available skills, in their order. */
  readonly available: readonly string[];
  /** The available name that was probably meant. */
  readonly suggestion?: string | undefined;
}

/** A `/skill:` command names a skill that the agent does not have. The message lists those it has. */
export class UnknownSkillError extends Error {
  override readonly name = "UnknownSkillError";
  readonly skill: string;
  readonly available: readonly string[];
  readonly suggestion: string | undefined;

  constructor({ skill, available, suggestion }: UnknownSkillOptions) {
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
  const file = join(index.agentDir, path);
  const body = skillBody(readSkill(file, path), file);
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

async function unknownSkill(skill: string, available: readonly string[]): Promise<UnknownSkillError> {
  const { closestMatch } = await import("leven");
  const maxDistance = Math.max(1, Math.floor(skill.length / 2));
  const suggestion =
    available.find((name) => name.toLowerCase() === skill.toLowerCase()) ??
    closestMatch(skill, available, { maxDistance });
  return new UnknownSkillError({ skill, available, suggestion });
}

function readSkill(file: string, path: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new SkillFileError(path, cause);
  }
}
