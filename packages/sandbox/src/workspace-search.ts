import type { Dirent } from "node:fs";
import { dirname } from "node:path";
import { FolderListings, walkFolder } from "@mdx-ai/base/disk";
import { GIT } from "./git-folders.ts";

/** What a search of a workspace found. All paths are absolute. */
export interface WorkspaceContents {
  /** Files whose names say that they are to be hidden. */
  readonly named: readonly string[];
  /** Folders of git, and `.git` files, which name one. */
  readonly git: readonly string[];
  /** Agent directories. */
  readonly agents: readonly string[];
  /** Folders that were not searched, as `walkFolder` returns them. */
  readonly unsearched: readonly string[];
}

interface WorkspaceSearchOptions {
  /** Absolute and real. */
  readonly folder: string;
  /** Not searched. Absolute and real. */
  readonly excluded: readonly string[];
  /** Whether a file of this name is hidden. */
  readonly isHidden: (name: string) => boolean;
  /** In milliseconds. */
  readonly now?: () => number;
}

/** Milliseconds. A search that took longer is not repeated before each command. */
const QUICK = 3;

/** Milliseconds for which the result of a slow search is used. */
const FRESH = 30_000;

/** The file by which an agent directory is known. */
const DEFINITION = "agent.mdx";

/** Searches a workspace again and again, for what is hidden and for existing repositories of git. */
export class WorkspaceSearch {
  readonly #options: WorkspaceSearchOptions;
  readonly #now: () => number;
  readonly #listings = new FolderListings();
  #last: { readonly contents: WorkspaceContents; readonly at: number; readonly took: number } | undefined;

  constructor(options: WorkspaceSearchOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** The contents; those of the last search if that was slow and is fresh. */
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
