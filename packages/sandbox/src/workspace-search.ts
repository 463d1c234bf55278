import type { Dirent } from "node:fs";
import { dirname } from "node:path";
import { FolderListings, walkFolder } from "@mdx-ai/base/disk";
import { GIT } from "./git-folders.ts";

/** The result of searching a workspace. All paths are absolute. */
export interface WorkspaceContents {
  /** Files to hide, by their names. */
  readonly named: readonly string[];
  /** Git folders, and `.git` files that name one. */
  readonly git: readonly string[];
  /** Agent directories. */
  readonly agents: readonly string[];
  /** Folders that were not searched, as `walkFolder` returns them. */
  readonly unsearched: readonly string[];
}

interface WorkspaceSearchOptions {
  /** Absolute and real. */
  readonly folder: string;
  /** Folders that are not searched. Absolute and real. */
  readonly excluded: readonly string[];
  /** Whether a file of this name is hidden. */
  readonly isHidden: (name: string) => boolean;
  /** In milliseconds. */
  readonly now?: () => number;
}

/** A search that took longer, in milliseconds, is not repeated before each command. */
const QUICK = 3;

/** How long the result of a slow search is used, in milliseconds. */
const FRESH = 30_000;

/** The file that identifies an agent directory. */
const DEFINITION = "agent.mdx";

/** Searches a workspace before each command for files to hide and existing git repositories. */
export class WorkspaceSearch {
  readonly #options: WorkspaceSearchOptions;
  readonly #now: () => number;
  readonly #listings = new FolderListings();
  #last: { readonly contents: WorkspaceContents; readonly at: number; readonly took: number } | undefined;

  constructor(options: WorkspaceSearchOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** The current contents; the last result if that search was slow and recent. */
  contents(): WorkspaceContents {
    const last = this.#last;
    if (last !== undefined && last.took > QUICK && this.#now() - last.at < FRESH) return last.contents;
    const start = this.#now();
    const contents = this.#search();
    const at = this.#now();
    this.#last = { contents, at, took: at - start };
    return contents;
  }

  #search(): WorkspaceContents {
    const { folder, excluded, isHidden } = this.#options;
    const named: string[] = [];
    const git: string[] = [];
    const agents: string[] = [];
    const visit = (path: string, { name }: Dirent): boolean => {
      if (excluded.includes(path)) return false;
      if (isHidden(name)) named.push(path);
      else if (name === GIT) git.push(path);
      else if (name === DEFINITION) agents.push(dirname(path));
      return name !== GIT && name !== "node_modules";
    };
    const unsearched = walkFolder(folder, visit, { list: this.#listings.look() });
    return { named, git, agents, unsearched };
  }
}
