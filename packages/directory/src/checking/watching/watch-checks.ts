import { dirname, join, resolve } from "node:path";
import { DirectoryError } from "../../directory-error.ts";
import type { FrontEnd } from "../../front-end.ts";
import { isFolder, namesIn } from "../../paths.ts";
import { type CheckOptions, checkDirectory, type DirectoryCheck } from "../check-directory.ts";
import { Changes, changedSince, filesPrint } from "./changes.ts";

/** A check of a watched directory. Without `check`, the compiler failed, for example because a file disappeared. */
export type WatchedCheck =
  | { readonly check: DirectoryCheck; readonly milliseconds: number }
  | { readonly check?: undefined; readonly failure: string };

/** Checks a directory now and after every change, until `signal` fires. Rejects as `checkDirectory` does before that. */
export async function* watchChecks(
  path: string,
  frontEnd: FrontEnd,
  options: CheckOptions,
): AsyncGenerator<WatchedCheck> {
  const { signal } = options;
  const root = resolve(frontEnd.currentDirectory, path);
  const changes = new Changes();
  let seen: SeenPaths = { paths: [root], print: "" };
  try {
    do {
      const start = Date.now();
      const early = { paths: seen.paths, print: filesPrint(seen.paths) };
      const watched = await checkOnce(path, frontEnd, options);
      yield watched;
      seen = seenPaths(watched.check, early, start);
    } while (await changes.next({ ...seen, folders: watchedFolders(root, seen.paths), signal }));
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    changes.close();
  }
}

async function checkOnce(path: string, frontEnd: FrontEnd, options: CheckOptions): Promise<WatchedCheck> {
  const start = Date.now();
  try {
    const check = await checkDirectory(path, frontEnd, options);
    return { check, milliseconds: Date.now() - start };
  } catch (error) {
    if (error instanceof DirectoryError && error.problem === "unchecked") return { failure: error.message };
    throw error;
  }
}

/** Paths and their state at the start of a check. */
interface SeenPaths {
  readonly paths: readonly string[];
  readonly print: string;
}

/**
 * The paths to watch, including earlier ones, since a file may come back. If a path changed while the check
 * ran, the state matches nothing, so that another check follows at once.
 */
function seenPaths(check: DirectoryCheck | undefined, before: SeenPaths, start: number): SeenPaths {
  const paths = [...new Set([...(check === undefined ? [] : watchedPaths(check)), ...before.paths])].toSorted();
  const added = paths.filter((path) => !before.paths.includes(path));
  const isSame = filesPrint(before.paths) === before.print && !changedSince(added, start);
  return { paths, print: isSame ? filesPrint(paths) : "changed" };
}

/** Folders that running agents and other programs write to and no check reads. */
const UNWATCHED = ["sessions", "state", "logs"];

/**
 * Everything that a check reads, even if it does not exist yet: files, and folders in which an imported file may be missing.
 * Absolute.
 */
function watchedPaths({ directory, files }: DirectoryCheck): readonly string[] {
  const { path, source = path, definition } = directory;
  const inside = (name: string): string => join(path, name);
  const sources = definition.tools.flatMap(({ code }) => (code.file === undefined ? [] : [inside(code.file)]));
  const skills = namesIn(inside("skills")).map((name) => inside(join("skills", name)));
  const code = [...sources, ...definition.modules.map(inside), ...files];
  const named = ["agent.mdx", "heartbeat.md", "skills", "modules", "package.json"].map(inside);
  const all = [path, source, ...named, ...foldersIn(path), ...skills, ...skills.flatMap(skillFiles), ...code];
  return [...new Set([...all, ...code.map((file) => dirname(file))])].toSorted();
}

/** The folders to watch for changes of the paths. */
function watchedFolders(root: string, paths: readonly string[]): readonly string[] {
  return [...new Set([dirname(root), ...paths.map((path) => dirname(path)), ...paths.filter(isFolder)])].toSorted();
}

const skillFiles = (folder: string): readonly string[] =>
  namesIn(folder)
    .filter((name) => name.toLowerCase() === "skill.md")
    .map((name) => join(folder, name));

const foldersIn = (path: string): readonly string[] =>
  namesIn(path)
    .filter((name) => !name.startsWith(".") && !UNWATCHED.includes(name))
    .map((name) => join(path, name))
    .filter(isFolder);
