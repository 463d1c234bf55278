import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { attempt, isWithin } from "@mdx-ai/base";
import { isFolder, type ListFolder, walkFolder } from "@mdx-ai/base/disk";
import { folderNamedBy, settingsText, valuesOf } from "./git-settings.ts";
import { realOf } from "./mount-draft.ts";

/** What git keeps its repository in: a folder, or a file that names one. */
export const GIT = ".git";

/** Folders of a folder of git that contain other such folders. */
const MODULES = "modules";
const WORK_TREES = "worktrees";

/** The file of a work tree's folder of git that names the work tree. */
const WORK_TREE = "gitdir";

/** The repository of git that a folder is in. All paths are absolute and real. */
export interface Repository {
  /** The folder of its files. */
  readonly root: string;
  /** The folders of git that hold its data. */
  readonly folders: readonly string[];
}

/** The innermost repository around a folder; undefined if there is none. `folder` is absolute and real. */
export function repositoryAround(folder: string): Repository | undefined {
  const place = join(folder, GIT);
  const stats = attempt(() => lstatSync(place, { throwIfNoEntry: false }));
  if (stats?.isDirectory() && isGitFolder(place)) return { root: folder, folders: [place] };
  if (stats?.isFile()) return { root: folder, folders: namedFolders(place) };
  return folder === dirname(folder) ? undefined : repositoryAround(dirname(folder));
}

const isGitFolder = (folder: string): boolean => attempt(() => lstatSync(join(folder, "HEAD"))) !== undefined;

/**
 * The folders of git that a `.git` file leads to, of a work tree or a submodule. Only ones that name that file or its folder
 * themselves: a repository must not make others writable.
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

/** What a folder of git keeps from commands. All else (objects, refs, HEAD, the index) is data, which `git add` and `git commit` write. */
export interface KeptOfGit {
  /** Files and folders that run or name programs, or decide where git looks for them; they may not exist. Absolute. */
  readonly paths: readonly string[];
  /** Those among them at which an empty folder does no harm, so that commands cannot create them. */
  readonly reserved: readonly string[];
  /** Files that must not be created, although git would refuse an empty folder in their place. */
  readonly forbidden: readonly string[];
}

/** `root` is the folder of the repository's files. Absolute and real, both. */
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
    // Where git reads settings of work trees, it would not do so from a folder.
    reserved: [...hooks, ...(reads ? [] : ofTrees)],
    forbidden: [...forbidden, ...(reads ? ofTrees : [])],
  };
}

/** The settings that name a folder of hooks, and files with more settings. */
const HOOKS_PATH = /^hookspath$/i;
const INCLUDED = /^path$/i;

/** What the settings in a folder of git name in the repository by these keys: paths relative to `base`. */
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

/** Folders that are searched for those of submodules, and the parts of such a folder that are large and hold none. */
const MAX_FOLDERS = 2_000;
const DATA: readonly string[] = ["objects", "refs", "logs", "hooks", "info", "lfs"];

/** The folders of git of all submodules. Their names may have more parts than one. `folder` is that of the repository, absolute. */
function submodulesOf(folder: string, list: ListFolder): readonly string[] {
  const modules = join(folder, MODULES);
  if (!isFolder(modules)) return [];
  const found: string[] = [];
  walkFolder(
    modules,
    (path, entry) => {
      // A submodule may have the name of such a part.
      if (!entry.isDirectory() || (DATA.includes(entry.name) && isGitFolder(dirname(path)))) return false;
      if (isGitFolder(path)) found.push(path);
      return true;
    },
    { list, mostFolders: MAX_FOLDERS },
  );
  return found;
}

/** Whether settings of the repository that a folder is in name a path, or a folder around it, as hooks or as more settings. All absolute and real. */
export function isNamedByGit(folder: string, path: string): boolean {
  const { root = folder, folders = [] } = repositoryAround(folder) ?? {};
  const named = folders.flatMap((git) => [
    ...namedIn(git, HOOKS_PATH, { root, base: root }),
    ...namedIn(git, INCLUDED, { root, base: git }),
  ]);
  return named.some((one) => isWithin(one.toLowerCase(), path.toLowerCase()));
}
