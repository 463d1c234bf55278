import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { attempt } from "@mdx-ai/base";
import { isFolder, type ListFolder, walkFolder } from "@mdx-ai/base/disk";
import { folderNamedBy, namedByGit, settingsText, valuesOf } from "../permissions/named-programs.ts";
import { GIT, MORE_OF_GIT, RUN_BY_GIT, WORK_TREE } from "../permissions/workspace-files.ts";
import { realOf } from "./mount-draft.ts";

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
  const isOfShared = shared !== undefined && dirname(own) === join(shared, MORE_OF_GIT.worktrees);
  const isMutual = realOf(settingsText(join(own, WORK_TREE)).trim()) === file;
  return isOfShared && isMutual && isGitFolder(shared) ? [shared] : [];
}

/** What a folder of git must keep. All paths are absolute; they may not exist. */
export interface KeptOfGit {
  /** Files and folders that run or name programs, or decide where git looks for them. */
  readonly paths: readonly string[];
  /** As `namedByGit`. */
  readonly programs: readonly string[];
}

/** `root` is the folder of the repository's files, absolute and real. */
export function keptOfGit(folder: string, root: string, list: ListFolder): KeptOfGit {
  const inner = [folder, ...submodulesOf(folder, list)];
  const trees = foldersIn(join(folder, MORE_OF_GIT.worktrees), list);
  const ofTrees = trees.flatMap((tree) => [WORK_TREE, "commondir", "config.worktree"].map((name) => join(tree, name)));
  const settings = [
    ...inner.map((one) => join(one, "config")),
    ...[folder, ...trees].map((one) => join(one, "config.worktree")),
  ];
  return {
    paths: [...inner.flatMap((one) => RUN_BY_GIT.map((name) => join(one, name))), ...ofTrees],
    programs: namedByGit(settings, root),
  };
}

const foldersIn = (folder: string, list: ListFolder): readonly string[] =>
  (isFolder(folder) ? (list(folder) ?? []) : [])
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));

/** Folders that are searched for those of submodules, and the parts of such a folder that are large and hold none. */
const MOST_FOLDERS = 2_000;
const DATA: readonly string[] = ["objects", "refs", "logs", "hooks", "info", "lfs"];

/** The folders of git of all submodules. Their names may have more parts than one. `folder` is that of the repository, absolute. */
export function submodulesOf(folder: string, list: ListFolder): readonly string[] {
  const modules = join(folder, MORE_OF_GIT.modules);
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
    { list, mostFolders: MOST_FOLDERS },
  );
  return found;
}
