import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DirectoryCheck } from "../check-directory.ts";

/** Folders that a running agent and other programs write to, and that no check reads. */
const UNWATCHED = ["sessions", "state", "logs"];

/**
 * Everything that a check reads, whether it exists yet or not: files, and folders in which an imported file may be missing.
 * Absolute.
 */
export function watchedPaths({ directory, files }: DirectoryCheck): readonly string[] {
  const { path, definition } = directory;
  const inside = (name: string): string => join(path, name);
  const sources = definition.tools.flatMap(({ code }) => (code.file === undefined ? [] : [inside(code.file)]));
  const skills = namesIn(inside("skills")).map((name) => inside(join("skills", name)));
  const code = [...sources, ...definition.modules.map(inside), ...files];
  const named = ["agent.mdx", "heartbeat.md", "skills", "modules", "package.json"].map(inside);
  const all = [path, ...named, ...foldersIn(path), ...skills, ...skills.flatMap(skillFiles), ...code];
  return [...new Set([...all, ...code.map((file) => dirname(file))])].toSorted();
}

/** The folders to watch for a change of one of the paths. */
export function watchedFolders(root: string, paths: readonly string[]): readonly string[] {
  return [...new Set([dirname(root), ...paths.map((path) => dirname(path)), ...paths.filter(isFolder)])].toSorted();
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const skillFiles = (folder: string): readonly string[] =>
  namesIn(folder)
    .filter((name) => name.toLowerCase() === "skill.md")
    .map((name) => join(folder, name));

function foldersIn(path: string): readonly string[] {
  try {
    const folders = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const names = folders.map(({ name }) => name).filter((name) => !name.startsWith(".") && !UNWATCHED.includes(name));
    return names.map((name) => join(path, name));
  } catch {
    return [];
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
