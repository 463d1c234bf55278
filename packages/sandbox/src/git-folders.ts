import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { attempt, isWithin } from "@mdx-ai/base";
import { isFolder, type ListFolder, walkFolder } from "@mdx-ai/base/disk";
import { folderNamedBy, settingsText, valuesOf } from "./git-settings.ts";
import { realOf } from "./mount-draft.ts";

/** The folder of a git repository, or the file that names it. */
export const GIT = ".git";

/** Folders in a git folder that contain further git folders. */
const MODULES = "modules";
const WORK_TREES = "worktrees";

/** The file in a work tree's git folder that names the work tree. */
const WORK_TREE = "gitdir";

/** The git repository that contains a folder. All paths are absolute and real. */
export interface Repository {
  /** Its work tree. */
  readonly root: string;
  /** The git folders with its data. */
  readonly folders: readonly string[];
}

/** The innermost repository that contains a folder; undefined if there is none. `folder` is absolute and real. */
export function repositoryAround(folder: string): Repository | undefined {
  const place = join(folder, GIT);
  const stats = attempt(() => lstatSync(place, { throwIfNoEntry: false }));
  if (stats?.isDirectory() && isGitFolder(place)) return { root: folder, folders: [place] };
  if (stats?.isFile()) return { root: folder, folders: namedFolders(place) };
  return folder === dirname(folder) ? undefined : repositoryAround(dirname(folder));
}

const isGitFolder = (folder: string): boolean => attempt(() => lstatSync(join(folder, "HEAD"))) !== undefined;

/**
 * The git folders that a `.git` file of a work tree or a submodule leads to. Includes only folders that name that file or its
 * folder in return: a repository must not make others writable.
 */
function namedFolders(file: string): readonly string[] {
  const named = folderNamedBy(settingsText(file));
  const own = named === undefined ? undefined : realOf(resolve(dirname(file), named));
  if (own === undefined || !isFolder(own) || !isGitFolder(own)) return [];
  const common = settingsText(join(own, "commondir")).trim();
  if (common === "") {
    const tree = valuesOf(settingsText(join(own, "config")), /^worktree$/i)[0];
    return tree !== undefined && realOf(resolve(own, tree)) === dirname(file) ? [own] : [];
  }
  const shared = realOf(resolve(own, common));
  const isOfShared = shared !== undefined && dirname(own) === join(shared, WORK_TREES);
  const isMutual = realOf(settingsText(join(own, WORK_TREE)).trim()) === file;
  return isOfShared && isMutual && isGitFolder(shared) ? [shared] : [];
}

/**
 * The protected paths of a git folder. Everything else (objects, refs, HEAD, the index) is data, which `git add` and `git commit`
 * write.
 */
export interface KeptOfGit {
  /** Files and folders that run or name programs, or decide where git looks for such files, existing or not. Absolute. */
  readonly paths: readonly string[];
  /** The ones where an empty folder does no harm, so that a placeholder keeps commands from creating them. */
  readonly reserved: readonly string[];
  /** Files that must not be created, but where git would reject a placeholder folder. */
  readonly forbidden: readonly string[];
}

/** `root` is the work tree. Both paths are absolute and real. */
export function keptOfGit(folder: string, root: string, list: ListFolder): KeptOfGit {
  const inner = [folder, ...submodulesOf(folder, list)];
  const trees = foldersIn(join(folder, WORK_TREES), list);
  const hooks = [...inner.map((one) => join(one, "hooks")), ...namedIn(folder, HOOKS_PATH, { root, base: root })];
  const included = namedIn(folder, INCLUDED, { root, base: folder });
  const forbidden = inner.map((one) => join(one, "commondir"));
  const ofTrees = [...inner, ...trees].map((one) => join(one, "config.worktree"));
  const reads = /^\s*worktreeconfig\b/im.test(settingsText(join(folder, "config")));
  return {
    paths: [
      ...[...hooks, ...included, ...forbidden, ...ofTrees, ...inner.map((one) => join(one, "config"))],
      ...trees.flatMap((tree) => [join(tree, WORK_TREE), join(tree, "commondir")]),
    ],
    // If git reads settings per work tree, a folder in place of that file would make it fail.
    reserved: [...hooks, ...(reads ? [] : ofTrees)],
    forbidden: [...forbidden, ...(reads ? ofTrees : [])],
  };
}

/** The settings that name a folder of hooks or files with more settings. */
const HOOKS_PATH = /^hookspath$/i;
const INCLUDED = /^path$/i;

/** The paths in the repository that the settings in a git folder name by these keys, relative to `base`. */
function namedIn(
  folder: string,
  key: RegExp,
  { root, base }: { readonly root: string; readonly base: string },
): readonly string[] {
  const named = valuesOf(settingsText(join(folder, "config")), key).map((path) => resolve(base, path));
  return named.filter((path) => path !== root && isWithin(root, path));
}

const foldersIn = (folder: string, list: ListFolder): readonly string[] =>
  (isFolder(folder) ? (list(folder) ?? []) : [])
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));

/** The most folders that are searched for git folders of submodules, and the large subfolders that contain none. */
const MAX_FOLDERS = 2_000;
const DATA: readonly string[] = ["objects", "refs", "logs", "hooks", "info", "lfs"];

/** The git folders of all submodules, whose names may contain slashes. `folder` is the repository's git folder, absolute. */
function submodulesOf(folder: string, list: ListFolder): readonly string[] {
  const modules = join(folder, MODULES);
  if (!isFolder(modules)) return [];
  const found: string[] = [];
  walkFolder(
    modules,
    (path, entry) => {
      // A submodule may have the name of such a subfolder.
      if (!entry.isDirectory() || (DATA.includes(entry.name) && isGitFolder(dirname(path)))) return false;
      if (isGitFolder(path)) found.push(path);
      return true;
    },
    { list, mostFolders: MAX_FOLDERS },
  );
  return found;
}

/**
 * Whether the settings of the repository that contains a folder name a path, or a folder above it, as hooks or as more settings.
 * All absolute and real.
 */
export function isNamedByGit(folder: string, path: string): boolean {
  const { root = folder, folders = [] } = repositoryAround(folder) ?? {};
  const named = folders.flatMap((git) => [
    ...namedIn(git, HOOKS_PATH, { root, base: root }),
    ...namedIn(git, INCLUDED, { root, base: git }),
  ]);
  return named.some((one) => isWithin(one.toLowerCase(), path.toLowerCase()));
}
