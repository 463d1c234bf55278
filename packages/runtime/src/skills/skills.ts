import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { attempt, closest, errorMessage } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import type { SkillMarks, ToolRegistry } from "@mdx-ai/loop";
import { basicTool, type SkillDefinition, skillText, splitSkill } from "@mdx-ai/parser";
import { skillFile } from "@mdx-ai/tools";
import { contextName, replaceBaseDir } from "./skill-contexts.ts";

/** The skills of an agent directory. */
export interface SkillIndex {
  readonly skills: readonly SkillDefinition[];
  /** Absolute. */
  readonly agentDir: string;
}

/** The text of a skill for a model, with `{baseDir}` replaced. Throws the file system's error. */
function readSkill(skill: SkillDefinition, agentDir: string): string {
  const file = skillFile(skill, agentDir);
  const { body } = splitSkill(readFileSync(file, "utf8"));
  return replaceBaseDir(skillText(body, skill.alwaysInject === true), file);
}

/**
 * Transforms the output of `read_file`: replaces `{baseDir}` in the file of an indexed skill. Files are
 * compared by real path, so links and detours make no difference.
 */
export function baseDirTransform({ skills, agentDir }: SkillIndex): (absolutePath: string, text: string) => string {
  return (absolutePath, text) => {
    if (!text.includes("{baseDir}")) return text;
    const file = realPathOrSame(absolutePath);
    const skill = skills.find((one) => realPathOrSame(skillFile(one, agentDir)) === file);
    return skill ? replaceBaseDir(text, skillFile(skill, agentDir)) : text;
  };
}

/** Recognizes the calls that read a skill. Relative paths are resolved against the agent directory. */
export function skillMarks({ skills, agentDir }: SkillIndex, { planned }: Pick<ToolRegistry, "planned">): SkillMarks {
  const readTool = planned.find(({ name }) => name === basicTool.reads)?.wire;
  const files = skills.map((skill) => skillFile(skill, agentDir));
  return {
    keeps: ({ name, arguments: { path } }) => {
      if (name !== readTool || typeof path !== "string" || files.length === 0) return false;
      const read = realPathOrSame(resolve(agentDir, path));
      return files.some((file) => realPathOrSame(file) === read);
    },
    isContext: (text) => contextName(text) !== undefined,
    // Empty for a file that can no longer be read.
    skillTexts: async () => skills.map((skill) => attempt(() => readSkill(skill, agentDir)) ?? ""),
  };
}

/** An indexed skill can no longer be read; `cause` is the file system's error. */
export class SkillFileError extends Error {
  override readonly name = "SkillFileError";
  /** Relative to the agent directory. */
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`the skill file ${path} cannot be read: ${errorMessage(cause)}`, { cause });
    this.path = path;
  }
}

/** A `/skill:` command names an unknown skill. The message lists the available ones. */
export class UnknownSkillError extends Error {
  override readonly name = "UnknownSkillError";
  /** The requested name; may be empty. */
  readonly skill: string;
  /** The names of the available skills, in order. */
  readonly available: readonly string[];
  /** The available name that is closest. */
  readonly suggestion: string | undefined;

  constructor({ skill, available, suggestion }: Pick<UnknownSkillError, "skill" | "available" | "suggestion">) {
    const problem = skill === "" ? "/skill: needs the name of a skill" : `there is no skill ${JSON.stringify(skill)}`;
    const guess = suggestion === undefined ? "" : `; did you mean ${JSON.stringify(suggestion)}?`;
    const list =
      available.length === 0 ? "this agent has no skills" : `the available skills are ${available.join(", ")}`;
    super(`${problem}${guess} (${list})`);
    this.skill = skill;
    this.available = available;
    this.suggestion = suggestion;
  }
}

const COMMAND = /^\s*\/skill:(.*)$/su;
const BARE_COMMAND = /^\s*\/(.*)$/su;

/** Whether a user's text is `/skill:NAME`, or the bare name of a repository's command. */
export const isSkillCommand = (text: string, skills: readonly SkillDefinition[]): boolean =>
  commandIn(text, skills) !== undefined;

/** The name of the skill in a user's text with all that follows; undefined if it is no command. */
function commandIn(text: string, skills: readonly SkillDefinition[]): string | undefined {
  const named = COMMAND.exec(text)?.[1];
  const bare = named === undefined ? BARE_COMMAND.exec(text)?.[1] : undefined;
  const isCommand = skills.some((skill) => skill.isCommand === true && startsWithWord(bare ?? "", skill.name));
  return named ?? (isCommand ? bare : undefined);
}

/** Options for expanding a `/skill:` command. */
export interface SkillExpansion extends SkillIndex {
  /** Whether the model has received a text already. Default: never. Must not throw. */
  isSent?(text: string): boolean;
  /** The names of the skills that are disabled in the session. Default: none. */
  readonly disabled?: ReadonlySet<string>;
}

/**
 * Expands a user's text for the model. `/skill:name arguments` becomes the skill's text, with `{baseDir}` replaced, and the
 * arguments after a blank line; a text that the model has already is only referred to. Any other text is unchanged. Rejects with
 * `UnknownSkillError`, `DisabledSkillError`, `SkillFileError` or `SkillTextError`.
 */
export async function expandSkillCommand(
  text: string,
  { isSent, disabled, ...index }: SkillExpansion,
): Promise<string> {
  const command = commandIn(text, index.skills);
  if (command === undefined) return text;
  const { skill, rest } = await findSkill(command, index);
  if (disabled?.has(skill.name)) throw new DisabledSkillError(skill.name);
  if (skill.isCommand === true) return filledCommand(textOf(skill, index.agentDir), rest.trim());
  const body = textOf(skill, index.agentDir);
  const known = isSent?.(body) ? `(Follow the skill ${JSON.stringify(skill.name)}, which is above.)` : body;
  const parts = [body === "" ? "" : known, rest.trim()].filter((part) => part !== "");
  if (parts.length === 0) throw new SkillTextError(skill);
  return parts.join("\n\n");
}

/**
 * The text of a command with `$ARGUMENTS`, `$1`, `$2` and so on replaced by what follows its name; without such a placeholder, that is added
 * at the end.
 */
function filledCommand(text: string, given: string): string {
  const words = given.split(/\s+/);
  const filled = text.replace(PLACEHOLDER, (_, name: string) =>
    name === "ARGUMENTS" ? given : (words[Number(name) - 1] ?? ""),
  );
  return filled !== text || given === "" ? filled : `${text}\n\n${given}`;
}

const PLACEHOLDER = /\$(ARGUMENTS\b|[1-9]\b)/g;

/** A `/skill:` command names a skill that is disabled in the session. */
export class DisabledSkillError extends Error {
  override readonly name = "DisabledSkillError";

  constructor(skill: string) {
    super(`the skill ${JSON.stringify(skill)} is disabled in this session; enable it with /skill enable ${skill}`);
  }
}

/** A `/skill:` command without arguments names a skill that has tools but no text. */
export class SkillTextError extends Error {
  override readonly name = "SkillTextError";

  constructor({ name, tools = [] }: SkillDefinition) {
    const list = tools.map((tool) => tool.name).join(", ");
    super(`the skill ${JSON.stringify(name)} has no text for the model${list === "" ? "" : `; its tools are ${list}`}`);
  }
}

interface NamedSkill {
  readonly skill: SkillDefinition;
  /** The text after the name. */
  readonly rest: string;
}

/** The skill with the longest name that the command begins with: a name may contain spaces. */
async function findSkill(command: string, { skills }: SkillIndex): Promise<NamedSkill> {
  const named = skills.filter(({ name }) => startsWithWord(command, name));
  const [skill] = named.sort((one, other) => other.name.length - one.name.length);
  if (skill) return { skill, rest: command.slice(skill.name.length) };
  throw unknownSkill(
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
  if (!names.includes(name)) throw unknownSkill(name, names);
}

function unknownSkill(skill: string, available: readonly string[]): UnknownSkillError {
  return new UnknownSkillError({ skill, available, suggestion: closest(skill, available) });
}

function textOf(skill: SkillDefinition, agentDir: string): string {
  try {
    return readSkill(skill, agentDir);
  } catch (cause) {
    throw new SkillFileError(skill.path, cause);
  }
}
