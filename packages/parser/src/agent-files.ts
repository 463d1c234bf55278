import { locate, type Problem } from "./report.ts";
import { SourceText } from "./source-text.ts";
import type { ProseFile } from "./types/agent-definition.ts";
import type { Diagnostic } from "./types/diagnostic.ts";

/** A file that was read, or one that should be there. */
export interface AgentFile {
  /** Relative to the agent directory, separated by "/". */
  readonly path: string;
  /** What keeps it from being read as text, if anything does. */
  readonly problem?: Omit<Problem, "offset"> & { readonly offset?: number };
  /** Absent if nothing could be read. */
  readonly text?: string;
  /** Whether the text is not parsed, because of its problem. */
  readonly isRefused?: true;
}

/** The files of skills. */
export interface SkillFiles {
  /** Sorted by path within each folder of skills. */
  readonly skills: readonly AgentFile[];
  /** Folders, and files of `modules/`, that could not be read. */
  readonly folders: readonly AgentFile[];
}

/** All that reading an agent directory finds. */
export interface AgentFiles extends SkillFiles {
  readonly agent: AgentFile;
  /** Absent without heartbeat.md. */
  readonly heartbeat?: AgentFile;
  /** The files that `src` attributes may name; absent if they were not looked for: the code of such tools is empty then. */
  readonly sources?: readonly AgentFile[];
  /** Markdown files of `agents/`, sorted; absent without any. */
  readonly agents?: readonly AgentFile[];
  /** Files of `modules/`, sorted. */
  readonly modules: readonly string[];
}

/** The text of a file that can be parsed. */
export function textToParse(file: AgentFile | undefined): string | undefined {
  return file?.isRefused === true ? undefined : file?.text;
}

/** The files that are parsed as Markdown. */
export const proseFiles = (files: readonly (AgentFile | undefined)[]): readonly ProseFile[] =>
  files.flatMap((file) =>
    file === undefined || textToParse(file) === undefined ? [] : [{ file: file.path, kind: "markdown" }],
  );

/** What keeps a file from being read, at its position in that file. */
export function diskDiagnostics(file: AgentFile | undefined): readonly Diagnostic[] {
  if (file?.problem === undefined) return [];
  return [locate({ offset: 0, ...file.problem }, new SourceText(file.text ?? ""), file.path)];
}

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

export const unreadSource: FileProblem = {
  rule: "tool-source",
  message: "`src` is not written as a plain text",
  hint: 'write `src="./tools/weather.ts"`, without escapes and expressions',
};

/** `src` with a plain text, as most people write it, or with the text in braces. */
const SOURCE = /\bsrc\s*=\s*(?:\{\s*)?(?:"([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`)/g;

/** The endings of files that may have the code of a tool. */
export const SOURCE_ENDINGS: RegExp = /\.[cm]?[jt]sx?$/i;

/** The paths of the files that the tools of an agent.mdx may name with `src`: all that look so, also in examples. */
export function sourcePaths(text: string): readonly string[] {
  const found = Array.from(text.matchAll(SOURCE), ([, double, single, back]) => double ?? single ?? back ?? "");
  const paths = found.filter((path) => SOURCE_ENDINGS.test(path)).flatMap((path) => plainPath(path) ?? []);
  return [...new Set(paths)];
}

/** A path without `.` and `..`; undefined if it leads out of the folder. */
export function plainPath(written: string): string | undefined {
  const names: string[] = [];
  for (const name of written.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.join("/");
}

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
  if (reason === "ELOOP") {
    const message = `cannot read the ${kind}: its link leads to itself`;
    return { rule: "file-unreadable", message, hint: "remove the link, or let it lead elsewhere" };
  }
  return {
    rule: "file-unreadable",
    message: `cannot read the ${kind} (${reason})`,
    hint: "check its type and its permissions",
  };
}

export const missingSkills: FileProblem = {
  rule: "skills-missing",
  message: "no `skills/` folder",
  hint: "create `skills/`, empty if the agent has no skills",
};

/** A folder that the settings name. Such a folder of the home folder is often missing. */
export const missingSkillFolder = (name: string, isOfHome: boolean): FileProblem => ({
  rule: "skills-missing",
  severity: isOfHome ? "note" : "warning",
  message: `no folder \`${name}\`, which \`skills\` names`,
  hint: "create it, or take it out of `skills: {paths: …}`",
});

export const skillOutside: FileProblem = {
  rule: "skill-link",
  message: "the skill is ignored: a symbolic link leads out of the folders of the agent's skills",
  hint: "name the folder in `skills: {paths: […]}` of agent.mdx, or copy the skill",
};

export const missingSkillFile: FileProblem = {
  rule: "skill-file-missing",
  message: "no SKILL.md in this folder",
  hint: "write SKILL.md, or move the folder out of `skills/`",
};

/** A file's bytes as text. */
interface DecodedText {
  readonly text: string;
  /** Offset in `text` of the first byte that is not UTF-8, if there is one; it reads as U+FFFD. */
  readonly invalidAt?: number;
}

const replacement = "\uFFFD";

/** Decodes UTF-8, keeping a byte-order mark. Never throws. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (!text.includes(replacement)) return { text };
  const invalidAt = firstInvalid(text, bytes);
  return invalidAt === undefined ? { text } : { text, invalidAt };
}

/** A replacement character that is not in the bytes comes from the decoder. */
function firstInvalid(text: string, bytes: Uint8Array): number | undefined {
  let position = 0;
  let from = 0;
  for (let at = text.indexOf(replacement); at !== -1; at = text.indexOf(replacement, from)) {
    position += Buffer.byteLength(text.slice(from, at));
    const isWritten = bytes[position] === 0xef && bytes[position + 1] === 0xbf && bytes[position + 2] === 0xbd;
    if (!isWritten) return at;
    position += 3;
    from = at + 1;
  }
  return undefined;
}
