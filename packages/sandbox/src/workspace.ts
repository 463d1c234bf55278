import { dirname, join } from "node:path";
import { DATA_FOLDERS, isWithin } from "@mdx-ai/base";
import { FolderListings, isFolder, realPathOrSame } from "@mdx-ai/base/disk";
import type { SandboxOptions } from "./command-sandbox.ts";
import { GIT, keptOfGit, type Repository } from "./git-folders.ts";
import { realOf } from "./mount-draft.ts";
import { isOpenFolder, openRepository } from "./open-repository.ts";
import type { ProtectedInWorkspace } from "./workspace-mounts.ts";
import { WorkspaceSearch } from "./workspace-search.ts";

/** The user's folder where commands and tools work, and its repository. */
export class Workspace {
  /** Absolute and real. */
  readonly folder: string;
  /** The same path as the user wrote it. */
  readonly path: string;
  /** The work tree of the repository, if the workspace is a folder in it. Absolute and real. */
  readonly root: string | undefined;
  /** The git folders outside the workspace that contain the repository's data. Absolute and real. */
  readonly gitFolders: readonly string[];
  readonly #repository: Repository | undefined;
  readonly #options: SandboxOptions;
  readonly #search: WorkspaceSearch;
  readonly #listings = new FolderListings();
  #kept: ProtectedInWorkspace | undefined;

  /** Undefined without a workspace, or, with a warning, for a folder that no sandbox may write to. `agentDir` is real. */
  static of(options: SandboxOptions, agentDir: string): Workspace | undefined {
    const { workspace, onWarning } = options;
    const folder = workspace === undefined ? undefined : realOf(workspace);
    if (workspace === undefined || folder === undefined || folder === agentDir) return undefined;
    const why = isFolder(folder) ? whyClosed(folder, options, agentDir) : "is not a folder";
    if (why === undefined) return new Workspace(folder, workspace, options, agentDir);
    onWarning?.(`commands and tools cannot write to the workspace: ${workspace} ${why}`);
    return undefined;
  }

  private constructor(folder: string, path: string, options: SandboxOptions, agentDir: string) {
    this.folder = folder;
    this.path = path;
    this.#options = options;
    this.#repository = openRepository(folder, options);
    this.root = this.#repository && this.#repository.root !== folder ? this.#repository.root : undefined;
    this.gitFolders = this.#repository?.folders.filter((git) => !isWithin(folder, git)) ?? [];
    const data = DATA_FOLDERS.map((name) => join(realPathOrSame(options.dataDir ?? agentDir), name));
    const { hideNamed } = options.lists;
    this.#search = new WorkspaceSearch({
      folder,
      // The agent directory has separate rules.
      excluded: isWithin(folder, agentDir) ? [agentDir, ...data] : data,
      isHidden: (name) => hideNamed.test(name),
    });
  }

  /** The protected paths at the last search. */
  get kept(): ProtectedInWorkspace {
    return this.#kept ?? this.look();
  }

  /** Searches for the protected paths. */
  look(): ProtectedInWorkspace {
    const contents = this.#search.contents();
    const list = this.#listings.look();
    const { workspace, readOnly } = this.#options.lists;
    const at = (names: readonly string[]): readonly string[] => names.map((name) => join(this.folder, name));
    const found = contents.git.filter(isFolder);
    const git = new Map([
      ...(this.#repository?.folders ?? []).map((folder) => [folder, this.#repository?.root ?? this.folder] as const),
      ...found.map((folder) => [folder, dirname(folder)] as const),
    ]);
    const kept = [...git].map(([folder, root]) => keptOfGit(folder, root, list));
    const own = readOnly.map(realPathOrSame).filter((path) => isWithin(this.folder, path));
    const paths = [...at([...workspace.protect, GIT]), ...contents.git, ...kept.flatMap((one) => one.paths), ...own];
    const folders = [...git.keys()];
    this.#kept = {
      paths: [...new Set(paths)].filter((path) => !folders.includes(path)),
      reserved: [...at([...workspace.reserve, GIT]), ...kept.flatMap((one) => one.reserved), ...own],
      forbidden: kept.flatMap((one) => one.forbidden),
      ...{ folders, contents },
    };
    return this.#kept;
  }
}

/** Why commands must not write to a whole folder; undefined if they may. */
function whyClosed(folder: string, options: SandboxOptions, agentDir: string): string | undefined {
  if (!isOpenFolder(folder, options))
    return "is a home folder, contains one, or belongs to the system; name a folder in it";
  const data = realPathOrSame(options.dataDir ?? agentDir);
  const own = [...options.lists.readOnly, ...DATA_FOLDERS.map((name) => join(data, name))].map(realPathOrSame);
  return own.some((place) => isWithin(place, folder)) ? "contains files of mdx-ai" : undefined;
}
