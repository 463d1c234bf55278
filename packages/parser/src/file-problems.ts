import type { AgentFile } from "./agent-files.ts";

/** What keeps a file or a folder of an agent directory from being read as it should be. */
export type FileProblem = NonNullable<AgentFile["problem"]>;

/** A tool's `src` leads out of the agent directory. */
export const sourceOutside: FileProblem = {
  rule: "tool-source",
  message: "unexpected `src` that leads out of the agent directory, expected a file within it",
  hint: "copy the file into the agent directory",
};

export const missingSource: FileProblem = {
  rule: "tool-source",
  message: "unexpected `src` of a file that is not there, expected a file in the agent directory",
  hint: "write the file, or mend its path, which starts at the folder of agent.mdx",
};

export const wrongEncoding: FileProblem = {
  rule: "file-encoding",
  message: "unexpected bytes that are not UTF-8, expected a text in UTF-8",
  hint: "save the file in the encoding UTF-8",
};

/** Both in bytes. */
export function tooLarge(size: number, largest: number): FileProblem {
  const message = `unexpected size of ${size} bytes, expected at most ${largest}`;
  return { rule: "file-too-large", message, hint: "move parts of it into other files" };
}

/** `reason` is a code of the system, or a few words. */
export function unreadable(reason: string): FileProblem {
  const message = `unexpected failure to read (${reason}), expected a readable file`;
  return { rule: "file-unreadable", message, hint: "see what stands there and who may read it" };
}

export const missingSkills: FileProblem = {
  rule: "skills-missing",
  message: "unexpected agent without a folder `skills`, expected one",
  hint: "no skills are available; an empty folder says that this is meant",
};

export const missingSkillFile: FileProblem = {
  rule: "skill-file-missing",
  message: "unexpected folder without SKILL.md, expected a skill in it",
  hint: "write SKILL.md, or move the folder out of skills",
};
