import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { defined, errorCode, isWithin, shellWord } from "@mdx-ai/base";
import {
  type AgentFile,
  type AgentFiles,
  decodeText,
  type FileProblem,
  missingSkillFile,
  missingSkills,
  missingSource,
  skillOutside,
  sourceOutside,
  sourcePaths,
  tooLarge,
  unreadable,
  wrongEncoding,
} from "./agent-files.ts";

/** Bytes of any file that is read. */
const MAX_FILE = 1024 * 1024;

/**
 * Reads the files of an agent directory. Synchronously: they are few and small, and another thread takes longer to answer. Never throws:
 * a file that cannot be read has its problem instead of its text. Without `hasOwnSkills`, its folder `skills` is left out.
 */
export function readAgentFiles(
  directory: string,
  { hasOwnSkills = true }: { readonly hasOwnSkills?: boolean } = {},
): AgentFiles {
  const problem = directoryProblem(directory);
  if (problem !== undefined) return { agent: { path: ".", problem }, skills: [], modules: [], folders: [] };
  const agent = readText(join(directory, "agent.mdx"), "agent.mdx");
  const schedule = join(directory, "heartbeat.md");
  const heartbeat = isEmptyFolder(schedule) ? undefined : readText(schedule, "heartbeat.md");
  const skills = hasOwnSkills ? readSkillFolder(ownSkills(directory)) : { files: [], folders: [] };
  const agents = readAgentMarkdown(directory);
  const modules = listModules(directory);
  const sources = sourcePaths(agent?.text ?? "").map((path) => readSource(directory, path));
  return {
    agent: agent ?? { path: "agent.mdx", problem: missingDefinition(directory) },
    ...defined({ heartbeat }),
    ...(sources.length > 0 && { sources }),
    skills: skills.files,
    ...(agents.length > 0 && { agents }),
    modules: modules.names,
    folders: [...skills.folders, ...modules.folders],
  };
}

const ownSkills = (directory: string): SkillFolder => ({
  folder: join(directory, "skills"),
  shown: "skills",
  roots: [directory],
  missing: missingSkills,
});

/** What is missing where agent.mdx is not: the folder, or the file in it; and what to do. */
export const missingAgent = (directory: string): FileProblem =>
  directoryProblem(directory) ?? missingDefinition(directory);

function missingDefinition(directory: string): FileProblem {
  const names = list(directory);
  const found = names.type === "listed" ? names.names : [];
  const other = found.find((name) => /^agent\.mdx?$/i.test(name));
  const project = PROJECT_FILES.find((name) => found.includes(name));
  const hint =
    project === undefined
      ? "create agent.mdx, or name the directory that contains it"
      : `make an agent of its ${project}: mdx-ai init my-agent --from ${shellWord(directory)}`;
  return {
    rule: "file-missing",
    message: "no agent.mdx in this directory",
    hint: other === undefined ? hint : `rename ${other} to \`agent.mdx\``,
  };
}

/** What other programs keep in a project, from which `init` makes an agent. */
const PROJECT_FILES: readonly string[] = ["AGENTS.md", "CLAUDE.md", ".claude", ".opencode"];

function directoryProblem(directory: string): FileProblem | undefined {
  try {
    if (statSync(directory).isDirectory()) return undefined;
    return {
      rule: "directory-missing",
      message: "unexpected file, expected an agent directory",
      hint: "name the folder that contains agent.mdx",
    };
  } catch (error) {
    const message = `cannot open the directory (${codeOf(error)})`;
    return { rule: "directory-missing", message, hint: `check that ${directory} exists` };
  }
}

/** A file that a tool's `src` names; links may lead to it, but not out of the agent directory. */
function readSource(directory: string, path: string): AgentFile {
  try {
    const folder = realpathSync.native(directory);
    const file = realpathSync.native(join(directory, path));
    if (!isWithin(folder, file)) return { path, problem: sourceOutside };
    return readRegular(file, path);
  } catch (error) {
    return { path, problem: codeOf(error) === "ENOENT" ? missingSource : unreadable("file", codeOf(error)) };
  }
}

/** The Markdown files of `agents/`; folders there belong to `<Agent src="…">`. A link that leads out of the directory is no agent. */
function readAgentMarkdown(directory: string): readonly AgentFile[] {
  const folder = list(join(directory, "agents"));
  if (folder.type === "absent") return [];
  if (folder.type === "failed") return [{ path: "agents", problem: unreadable("folder", folder.reason) }];
  return visible(folder.names)
    .filter((name) => name.endsWith(".md"))
    .map((name) => asWarning(readSource(directory, `agents/${name}`)));
}

interface FoundModules {
  readonly names: readonly string[];
  /** The folder or those of its files that cannot be read. */
  readonly folders: readonly AgentFile[];
}

function listModules(directory: string): FoundModules {
  const names = list(join(directory, "modules"));
  if (names.type === "absent") return { names: [], folders: [] };
  if (names.type === "failed")
    return { names: [], folders: [{ path: "modules", problem: unreadable("folder", names.reason) }] };
  const isModule = (name: string): boolean => name.endsWith(".ts") && !name.endsWith(".d.ts") && !name.startsWith(".");
  const paths = names.names.filter(isModule).map((name) => `modules/${name}`);
  const problems = paths.map((path) => fileProblem(join(directory, path)));
  return {
    names: paths.filter((_path, index) => problems[index] === undefined),
    folders: paths.flatMap((path, index) =>
      problems[index] === undefined ? [] : [{ path, problem: problems[index] }],
    ),
  };
}

/** Why a path cannot be read as a file; undefined if it can. */
function fileProblem(file: string): FileProblem | undefined {
  try {
    return statSync(file).isFile() ? undefined : unreadable("file", "not a regular file");
  } catch (error) {
    return unreadable("file", codeOf(error));
  }
}

/** A folder whose folders are skills. */
export interface SkillFolder {
  /** Absolute. */
  readonly folder: string;
  /** The path by which the definition and diagnostics name it. */
  readonly shown: string;
  /** Folders within which the files of its skills must be, links resolved. Absolute. */
  readonly roots: readonly string[];
  /** What is reported if it does not exist. */
  readonly missing: FileProblem;
}

/** The files of skills, and the folders that could not be read. */
export interface FoundSkills {
  readonly files: readonly AgentFile[];
  readonly folders: readonly AgentFile[];
}

/** Reads the files of the skills in a folder, sorted by path. Never throws. */
export function readSkillFolder(given: SkillFolder): FoundSkills {
  const { folder, shown, missing } = given;
  const names = list(folder);
  if (names.type === "absent") return { files: [], folders: [{ path: shown, problem: missing }] };
  if (names.type === "failed")
    return { files: [], folders: [{ path: shown, problem: unreadable("folder", names.reason) }] };
  const roots = given.roots.map(realFolder);
  const found = visible(names.names).flatMap((name) => readSkill(name, { ...given, roots }, 1));
  return { files: found.map(asWarning), folders: [] };
}

/** A skill that cannot be read costs the agent that skill alone. */
function asWarning(file: AgentFile): AgentFile {
  return file.problem === undefined ? file : { ...file, problem: { ...file.problem, severity: "warning" } };
}

const visible = (names: readonly string[]): readonly string[] => names.filter((name) => !name.startsWith("."));

/** Categories within each other, so that a link to a folder above ends. */
const MAX_CATEGORIES = 3;

/** The skill in a folder, or those in its folders if it is a category; none for a file among the folders of skills. */
function readSkill(name: string, given: SkillFolder, level: number): readonly AgentFile[] {
  const folder = join(given.folder, name);
  const path = `${given.shown}/${name}`;
  const names = list(folder);
  if (names.type === "failed" && names.reason === "ENOTDIR") return [];
  if (names.type !== "listed") {
    return [{ path, problem: unreadable("folder", names.type === "failed" ? names.reason : "ENOENT") }];
  }
  const candidates = names.names.filter((file) => file.toLowerCase() === "skill.md");
  const file = candidates.find((candidate) => candidate === "SKILL.md") ?? candidates[0];
  if (file !== undefined) return [readSkillFile(join(folder, file), `${path}/${file}`, given.roots)];
  if (isWithin(realFolder(folder), realFolder(given.folder))) return [{ path, problem: unreadable("folder", "ELOOP") }];
  const category = { ...given, folder, shown: path };
  const inner =
    level > MAX_CATEGORIES || !isWithinRoots(folder, given.roots)
      ? []
      : visible(names.names).flatMap((one) => readSkill(one, category, level + 1));
  const skills = inner.filter(({ problem }) => problem?.rule !== missingSkillFile.rule);
  return skills.length > 0 ? skills : [{ path, problem: missingSkillFile }];
}

const isWithinRoots = (folder: string, roots: readonly string[]): boolean =>
  roots.some((root) => isWithin(root, realFolder(folder)));

/** A file behind a link is read only within the roots: the user has trusted nothing else. */
function readSkillFile(file: string, path: string, roots: readonly string[]): AgentFile {
  try {
    const real = realpathSync.native(file);
    if (!roots.some((root) => isWithin(root, real))) return { path, problem: skillOutside };
  } catch (error) {
    return { path, problem: unreadable("file", codeOf(error)) };
  }
  return readText(file, path) ?? { path, problem: unreadable("file", "ENOENT") };
}

/** Links resolved; the folder itself if that is not possible. */
export function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

/** Reads a text, which diagnostics call `path`. Undefined if there is no such file. Never throws. */
function readText(file: string, path: string): AgentFile | undefined {
  try {
    return readRegular(file, path);
  } catch (error) {
    return codeOf(error) === "ENOENT" ? undefined : { path, problem: unreadable("file", codeOf(error)) };
  }
}

/** While a command runs, a sandbox shows an empty folder instead of a file that does not exist. */
function isEmptyFolder(path: string): boolean {
  const found = list(path);
  return found.type === "listed" && found.names.length === 0;
}

/** Reads a file, which diagnostics call `path`. Throws the system's error if it cannot be read. */
function readRegular(file: string, path: string): AgentFile {
  const information = statSync(file);
  if (!information.isFile()) return { path, problem: unreadable("file", "not a regular file") };
  if (information.size > MAX_FILE) return { path, problem: tooLarge(information.size, MAX_FILE) };
  // An empty file is not read: files of /proc claim to be empty and may have no end.
  const { text, invalidAt } = decodeText(information.size === 0 ? new Uint8Array() : readFileSync(file));
  return invalidAt === undefined ? { path, text } : { path, text, problem: { ...wrongEncoding, offset: invalidAt } };
}

type Listing =
  | { readonly type: "listed"; readonly names: readonly string[] }
  | { readonly type: "absent" }
  | { readonly type: "failed"; readonly reason: string };

/** The sorted names in a folder. Never throws. */
function list(folder: string): Listing {
  try {
    return { type: "listed", names: readdirSync(folder).sort() };
  } catch (error) {
    return codeOf(error) === "ENOENT" ? { type: "absent" } : { type: "failed", reason: codeOf(error) };
  }
}

/** The code of an error of the system, such as "ENOENT"; of any other error its text. */
const codeOf = (error: unknown): string => errorCode(error) ?? String(error);
