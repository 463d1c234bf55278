import type { AgentFile } from "./agent-files.ts";

/** Why a file or folder of an agent directory cannot be read. */
export type FileProblem = NonNullable<AgentFile["problem"]>;

export const sourceOutside: FileProblem = {
  rule: "tool-source",
  message: "`src` leads out of the agent directory",
  hint: "copy the file into the agent directory",
};

export const missingSource: FileProblem = {
  rule: "tool-source",
  message: "`src` names a file that does not exist",
  hint: "create the file, or correct the path, which is relative to agent.mdx",
};

export const wrongEncoding: FileProblem = {
  rule: "file-encoding",
  message: "the file is not valid UTF-8",
  hint: "save it as UTF-8",
};

/** Both in bytes. */
export function tooLarge(size: number, largest: number): FileProblem {
  const message = `the file is too large: ${size} bytes, at most ${largest} are allowed`;
  return { rule: "file-too-large", message, hint: "move parts of it to other files" };
}

/** `reason` is an error code of the system, or a few words. */
export function unreadable(kind: "file" | "folder", reason: string): FileProblem {
  return {
    rule: "file-unreadable",
    message: `cannot read the ${kind} (${reason})`,
    hint: "check its type and its permissions",
  };
}

export const missingSkills: FileProblem = {
  rule: "skills-missing",
  message: "no `skills/` folder",
  hint: "the agent has no skills; create an empty folder if that is intended",
};

export const missingSkillFile: FileProblem = {
  rule: "skill-file-missing",
  message: "no SKILL.md in this folder",
  hint: "write SKILL.md, or move the folder out of `skills/`",
};
