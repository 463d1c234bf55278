import { readdirSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { isFolder } from "../paths.ts";
import { type ImportedFile, type ImportedSkill, type ImportNote, type NotesOn, notesOn } from "./imported-agent.ts";
import {
  firstLine,
  freeName,
  kebabCase,
  noteOthers,
  readSource,
  type SourceFile,
  stemOf,
  textField,
  yamlText,
} from "./source-file.ts";

export interface ImportedSkills {
  readonly skills: readonly ImportedSkill[];
  readonly notes: readonly ImportNote[];
}

/** Keys of a SKILL.md or a command that have an effect only in other programs. */
const WITHOUT_EFFECT: readonly string[] = [
  ...["allowed-tools", "model", "context", "agent", "hooks", "disable-model-invocation", "user-invocable", "subtask"],
];

/** The folders of skills in a folder. */
export const skillFoldersIn = (folder: string): readonly string[] =>
  isFolder(folder)
    ? readdirSync(folder)
        .toSorted()
        .map((name) => join(folder, name))
        .filter((path) => isFolder(path) && skillFile(path) !== undefined)
    : [];

/** What is copied of a skill folder. More is data, which the user brings along if the skill needs it. */
const MAX_BYTES = 100 * 2 ** 20;
const MAX_FILES = 10_000;

/** Copies skill folders unchanged, but for links and what is beyond the limits. */
export function importSkills(folders: readonly string[]): ImportedSkills {
  const found = folders.map((folder) => {
    const source = join(folder, skillFile(folder) ?? "SKILL.md");
    const on = notesOn(source);
    on.translated(`→ skills/${basename(folder)}`);
    noteKeys(readSource(source), on);
    const { files, left } = filesIn(folder, folder);
    for (const path of left) on.leftOut(`${relative(folder, path)}: links are not followed`);
    return { skill: { name: basename(folder), files: withinLimits(files, source, on), source }, notes: on.notes };
  });
  return { skills: found.map(({ skill }) => skill), notes: found.flatMap(({ notes }) => notes) };
}

const skillFile = (folder: string): string | undefined =>
  readdirSync(folder).find((name) => name.toLowerCase() === "skill.md");

/** Folders that do not belong to a skill: repositories and installed packages. */
const FOREIGN: readonly string[] = [".git", "node_modules"];

/** Leaves out what is beyond the limits, but never the skill's own file. */
function withinLimits(files: readonly CopiedFile[], own: string, { leftOut }: NotesOn): readonly ImportedFile[] {
  let bytes = 0;
  const kept = files.filter(({ path, copyOf }, index) => {
    const { size } = statSync(copyOf);
    if (copyOf !== own && (index >= MAX_FILES || bytes + size > MAX_BYTES)) {
      if (index < MAX_FILES)
        leftOut(`${path} (${megabytes(size)}): the files of a skill are copied up to ${megabytes(MAX_BYTES)}`);
      return false;
    }
    bytes += size;
    return true;
  });
  if (files.length > MAX_FILES) leftOut(`${files.length - MAX_FILES} files: ${MAX_FILES} of a skill are copied`);
  return kept;
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MB`;

interface CopiedFile {
  readonly path: string;
  readonly copyOf: string;
}

interface FoundFiles {
  readonly files: readonly CopiedFile[];
  /** Entries that are neither files nor folders. Absolute. */
  readonly left: readonly string[];
}

function filesIn(folder: string, root: string): FoundFiles {
  const found = readdirSync(folder, { withFileTypes: true }).map((entry): FoundFiles => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return FOREIGN.includes(entry.name) ? NO_FILES : filesIn(path, root);
    const copy = { path: relative(root, path).replaceAll("\\", "/"), copyOf: path };
    return entry.isFile() ? { files: [copy], left: [] } : { files: [], left: [path] };
  });
  return { files: found.flatMap(({ files }) => files), left: found.flatMap(({ left }) => left) };
}

const NO_FILES: FoundFiles = { files: [], left: [] };

function noteKeys({ fields, lineOf }: SourceFile, { leftOut }: NotesOn): void {
  for (const key of WITHOUT_EFFECT) if (key in fields) leftOut(`the key ${key} has no effect`, lineOf(key));
}

/** Commands as skills: `/name words` there is `/skill:name words` here. Names in `taken` get a number. */
export function importCommands(files: readonly string[], taken: readonly string[]): ImportedSkills {
  const names = new Set(taken);
  const found = files.map((path) => {
    const name = freeName(kebabCase(stemOf(path), "command"), names);
    names.add(name);
    const source = readSource(path);
    const on = notesOn(path);
    on.translated(`/${stemOf(path)} → /skill:${name}`);
    noteOthers(source, { known: ["description"], on });
    const description = textField(source, "description") ?? firstLine(source.body) ?? `The command ${stemOf(path)}`;
    const frontmatter = `---\nname: ${name}\ndescription: ${yamlText(description.slice(0, 1_000))}\n---\n`;
    const text = `${frontmatter}\n${[...explanations(source.body), source.body].join("\n\n")}\n`;
    return { skill: { name, files: [{ path: "SKILL.md", text }], source: path }, notes: on.notes };
  });
  return { skills: found.map(({ skill }) => skill), notes: found.flatMap(({ notes }) => notes) };
}

/** Explanations for a command's placeholders, which are not replaced here. */
const PLACEHOLDERS: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/\$ARGUMENTS\b/, "`$ARGUMENTS` is the text after these instructions, which may be missing."],
  [/\$[1-9]\b/, "`$1`, `$2` and so on are the words of the text after these instructions."],
  [/!`[^`\n]+`/, "Run a command written as !`…` first, and use its output instead of it."],
  [/(?:^|\s)@[\w./~-]+/, "A path written as `@path` means the content of that file: read it first."],
];

function explanations(body: string): readonly string[] {
  const texts = PLACEHOLDERS.flatMap(([pattern, text]) => (pattern.test(body) ? [text] : []));
  return texts.length === 0 ? [] : [`In these instructions:\n\n${texts.map((text) => `- ${text}`).join("\n")}`];
}
