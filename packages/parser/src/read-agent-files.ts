import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  type AgentFile,
  type AgentFiles,
  type FileProblem,
  missingSkills,
  missingSource,
  sourceOutside,
  unreadable,
} from "./agent-files.ts";
import { isWithin } from "./is-within.ts";
import { codeOf, list, readRegular, readText } from "./read-files.ts";
import { readSkillFolder, type SkillFolder } from "./read-skill-folder.ts";

const largestSource = 1024 * 1024;

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
  const heartbeat = readText(join(directory, "heartbeat.md"), "heartbeat.md");
  const skills = hasOwnSkills ? readSkillFolder(ownSkills(directory)) : { files: [], folders: [] };
  const modules = listModules(directory);
  return {
    agent: agent ?? { path: "agent.mdx", problem: missingAgent(directory) },
    ...(heartbeat === undefined ? {} : { heartbeat }),
    skills: skills.files,
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

function missingAgent(directory: string): FileProblem {
  const names = list(directory);
  const other = names.type === "listed" ? names.names.find((name) => /^agent\.mdx?$/i.test(name)) : undefined;
  return {
    rule: "file-missing",
    message: "no agent.mdx in this directory",
    hint:
      other === undefined
        ? "create agent.mdx, or name the directory that contains it"
        : `rename ${other} to \`agent.mdx\``,
  };
}

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
export function readSource(directory: string, path: string): AgentFile {
  try {
    const folder = realpathSync.native(directory);
    const file = realpathSync.native(join(directory, path));
    if (!isWithin(folder, file)) return { path, problem: sourceOutside };
    return readRegular({ file, path, largest: largestSource }, statSync(file));
  } catch (error) {
    return { path, problem: codeOf(error) === "ENOENT" ? missingSource : unreadable("file", codeOf(error)) };
  }
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
