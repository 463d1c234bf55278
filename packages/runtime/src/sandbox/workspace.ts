import { basename, dirname, join, relative } from "node:path";
import { attempt, DATA_FOLDERS, foldersFrom, isWithin } from "@mdx-ai/base";
import { FolderListings, isFolder, isTimed, realPlaceOrSame } from "@mdx-ai/base/disk";
import { foldersOf } from "../permissions/defining-files.ts";
import { ENVRC, namedByEnvrc } from "../permissions/named-programs.ts";
import { ownPlaces } from "../permissions/secret-places.ts";
import { GIT, plainName, workspacePaths } from "../permissions/workspace-files.ts";
import type { SandboxOptions } from "./enclosure.ts";
import { keptOfGit, type Repository, submodulesOf } from "./git-folders.ts";
import type { ProtectedRoot } from "./held-root.ts";
import { type MountDraft, realOf } from "./mount-draft.ts";
import { OF_WORKSPACE } from "./move-aside.ts";
import { isOpenFolder, openRepository } from "./open-repository.ts";
import { type Remembered, workOfCommand } from "./work-of-command.ts";
import { type ProtectedInWorkspace, protectWorkspace } from "./workspace-mounts.ts";
import { type WorkspaceContents, WorkspaceSearch } from "./workspace-search.ts";

/** Milliseconds by which the times of a file system of this machine may be behind the clock: a tick of the slowest kernel. */
const TICK = 10;

/** The same, of a file system that another machine or a program serves. */
const BEHIND = 50;

/** What is known of the time before the first command began that still runs. */
interface Before {
  /** The protected paths that existed. */
  readonly paths: ReadonlySet<string>;
  /** The folders of git of the submodules. */
  readonly submodules: ReadonlySet<string>;
  /** If an earlier search found them. */
  readonly remembered?: Remembered;
  /** Identifies a folder that was searched. */
  readonly identityOf: (folder: string) => string | undefined;
}

/** The folder where the user stands, in which commands and tools work, and the repository that it is in. */
export class Workspace {
  /** Absolute and real. */
  readonly folder: string;
  /** The same as the user names it. */
  readonly path: string;
  /** The folder of the repository's files, if the workspace is a folder in that. Absolute and real. */
  readonly root: string | undefined;
  /** The folders of git outside the workspace that hold the repository's data. Absolute and real. */
  readonly gitFolders: readonly string[];
  readonly #repository: Repository | undefined;
  readonly #own: readonly string[];
  readonly #search: WorkspaceSearch;
  readonly #listings = new FolderListings();
  #kept: ProtectedInWorkspace | undefined;
  #before: Before | undefined;
  /** That of the last beginning of a command. */
  #lastMade: string | undefined;

  /** Undefined without a workspace, and for a folder that no sandbox makes writable, with a warning. `agentDir` is real. */
  static of(options: SandboxOptions, agentDir: string): Workspace | undefined {
    const { workspace, onWarning } = options;
    const folder = workspace === undefined ? undefined : realOf(workspace);
    if (workspace === undefined || folder === undefined || folder === agentDir) return undefined;
    const why = isFolder(folder) ? whyClosed(folder, options, agentDir) : "is no folder";
    if (why === undefined) return new Workspace(folder, workspace, options, agentDir);
    onWarning?.(`the sandbox lets commands and tools write no workspace: ${workspace} ${why}`);
    return undefined;
  }

  private constructor(folder: string, path: string, options: SandboxOptions, agentDir: string) {
    this.folder = folder;
    this.path = path;
    this.#repository = openRepository(folder, options);
    this.root = this.#repository && this.#repository.root !== folder ? this.#repository.root : undefined;
    this.gitFolders = this.#repository?.folders.filter((git) => !isWithin(folder, git)) ?? [];
    this.#own = ownPlaces(options.environment)
      .map(realPlaceOrSame)
      .filter((place) => isWithin(folder, place));
    const data = DATA_FOLDERS.map((name) => join(realPlaceOrSame(options.dataDir ?? agentDir), name));
    // The agent directory has rules of its own.
    this.#search = new WorkspaceSearch(folder, isWithin(folder, agentDir) ? [agentDir, ...data] : data);
  }

  /** What is protected, as the last look found it. */
  get kept(): ProtectedInWorkspace {
    return this.#kept ?? this.look();
  }

  /** Looks what is to be protected. */
  look(): ProtectedInWorkspace {
    const contents = this.#search.contents();
    const list = this.#listings.look();
    const found = contents.meaningful.filter((path) => plainName(basename(path)) === GIT && isFolder(path));
    const repositories = [
      ...(this.#repository?.folders ?? []).map((folder) => [folder, this.#repository?.root ?? this.folder] as const),
      ...found.map((folder) => [folder, dirname(folder)] as const),
      ...contents.bare.map((folder) => [folder, folder] as const),
    ];
    const git = new Map(repositories);
    const kept = [...git].map(([folder, root]) => keptOfGit(folder, root, list));
    const paths = [
      ...[...workspacePaths(), GIT, "HEAD"].map((name) => join(this.folder, name)),
      ...contents.meaningful,
      ...kept.flatMap((one) => [...one.paths, ...one.programs]),
      ...this.#namedByEnvrc(contents),
      ...this.#own,
    ];
    const folders = [...git.keys()];
    this.#kept = { paths: [...new Set(paths)].filter((path) => !folders.includes(path)), folders, contents };
    return this.#kept;
  }

  /** The `.envrc` of a folder above may name files of the workspace, too. */
  #namedByEnvrc({ meaningful }: WorkspaceContents): readonly string[] {
    const above = foldersFrom(this.folder).map((folder) => join(folder, ENVRC));
    const found = meaningful.filter((path) => plainName(basename(path)) === ENVRC);
    const named = [...new Set([...above, ...found])].flatMap(namedByEnvrc);
    return named.filter((path) => path !== this.folder && isWithin(this.folder, path));
  }

  /** As `protectWorkspace`. */
  protect(draft: MountDraft, open: readonly string[]): readonly string[] {
    return protectWorkspace(draft, this, open);
  }

  /** The folders in which nothing may come into being that runs code on its own. */
  roots(): readonly ProtectedRoot[] {
    const inside = (folder: string): readonly string[] =>
      this.kept.paths.filter((path) => isWithin(folder, path)).map((path) => relative(folder, path));
    return [
      {
        ...{ folder: this.folder, kind: OF_WORKSPACE },
        protectedPaths: ({ isFirst, lastMade }) => {
          if (lastMade !== this.#lastMade) this.#search.forget();
          this.#lastMade = lastMade;
          this.look();
          if (isFirst) this.#begin();
          return inside(this.folder);
        },
        created: (isLast) => [
          ...this.#created(isLast).map((path) => relative(this.folder, path)),
          ...this.#newSubmodules(this.folder),
        ],
      },
      ...this.gitFolders.map((folder) => ({
        ...{ folder, kind: OF_WORKSPACE },
        protectedPaths: () => inside(folder),
        created: () => this.#newSubmodules(folder),
      })),
    ];
  }

  /**
   * Resolves when files that are created from now on have later times than those that existed when the first command began that still
   * runs, if it matters.
   */
  async settled(): Promise<void> {
    const { since = 0 } = this.#before?.remembered ?? {};
    for (;;) {
      const rest = since + TICK - Date.now();
      if (rest < 0) return;
      await Bun.sleep(rest + 1);
    }
  }

  /** Other programs may have created something since an earlier search. */
  #begin(): void {
    const behind = attempt(() => isTimed(this.folder)) ? 0 : BEHIND;
    const since = Date.now() + 1 - behind;
    this.#before = {
      paths: new Set(placesOf(this.kept.contents)),
      submodules: new Set(this.#submodules()),
      ...(this.#search.isRemembered && { remembered: { since, searched: this.#search.began } }),
      identityOf: this.#search.identities(),
    };
  }

  #submodules(): readonly string[] {
    const list = this.#listings.look();
    return this.kept.folders.flatMap((folder) => submodulesOf(folder, list));
  }

  /** A command prepares them for a submodule that the user has yet to fetch: git would run their hooks. Relative to the folder. */
  #newSubmodules(folder: string): readonly string[] {
    const { submodules } = this.#before ?? {};
    if (submodules === undefined) return [];
    const found = this.#submodules().filter((path) => !submodules.has(path) && isWithin(folder, path));
    return found.map((path) => relative(folder, path));
  }

  /** While somebody waits, a workspace whose search is slow is not searched. */
  #created(isLast: boolean): readonly string[] {
    if (this.#before === undefined || (this.#search.isSlow && !isLast)) return [];
    const { paths, remembered, identityOf } = this.#before;
    const unknown = placesOf(this.#search.search()).filter((path) => !paths.has(path));
    if (remembered === undefined) return unknown;
    const now = this.#search.identities();
    const isOther = (folder: string): boolean => now(folder) !== identityOf(folder);
    const around = (path: string): readonly string[] =>
      foldersOf(relative(this.folder, path)).map((folder) => join(this.folder, folder));
    return unknown.flatMap((path) => workOfCommand(path, { ...remembered, isOther, folders: around(path) }));
  }
}

const placesOf = ({ meaningful, bare }: WorkspaceContents): readonly string[] => [
  ...meaningful,
  ...bare.map((folder) => join(folder, "HEAD")),
];

/** Why commands must not write in a folder as a whole; undefined if they may. */
function whyClosed(folder: string, options: SandboxOptions, agentDir: string): string | undefined {
  if (!isOpenFolder(folder, options))
    return "is a home folder, contains one, or belongs to the system; name a folder in it";
  const data = realPlaceOrSame(options.dataDir ?? agentDir);
  const own = [...ownPlaces(options.environment), ...DATA_FOLDERS.map((name) => join(data, name))].map(realPlaceOrSame);
  return own.some((place) => isWithin(place, folder)) ? "is what mdx-ai keeps" : undefined;
}
