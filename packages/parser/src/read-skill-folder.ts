import { realpathSync } from "node:fs";
import { join } from "node:path";
import { type AgentFile, type FileProblem, missingSkillFile, skillOutside, unreadable } from "./agent-files.ts";
import { isWithin } from "./is-within.ts";
import { codeOf, list, readText } from "./read-files.ts";

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
  const visible = names.names.filter((name) => !name.startsWith("."));
  const found = visible.map((name) => readSkill(name, { ...given, roots })).filter((file) => file !== undefined);
  return { files: found.map(asWarning), folders: [] };
}

/** A skill that cannot be read costs the agent that skill alone. */
function asWarning(file: AgentFile): AgentFile {
  return file.problem === undefined ? file : { ...file, problem: { ...file.problem, severity: "warning" } };
}

/** Undefined for a file among the folders of skills. */
function readSkill(name: string, { folder, shown, roots }: SkillFolder): AgentFile | undefined {
  const path = `${shown}/${name}`;
  const names = list(join(folder, name));
  if (names.type === "failed" && names.reason === "ENOTDIR") return undefined;
  if (names.type !== "listed") {
    return { path, problem: unreadable("folder", names.type === "failed" ? names.reason : "ENOENT") };
  }
  const candidates = names.names.filter((file) => file.toLowerCase() === "skill.md");
  const file = candidates.find((candidate) => candidate === "SKILL.md") ?? candidates[0];
  if (file === undefined) return { path, problem: missingSkillFile };
  return readSkillFile(join(folder, name, file), `${path}/${file}`, roots);
}

/** A file behind a link is read only within the roots: what is elsewhere, nobody has trusted. */
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
function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}
