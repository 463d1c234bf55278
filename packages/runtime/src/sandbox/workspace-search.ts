import { type Dirent, existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { FolderListings, type ListFolder, walkFolder } from "@mdx-ai/base/disk";
import { isVariablesFile } from "../permissions/secret-places.ts";
import { GIT, isNamedInWorkspace, plainName } from "../permissions/workspace-files.ts";

/** What a search of a workspace found. All paths are absolute. */
export interface WorkspaceContents {
  /** Files of variables. */
  readonly variables: readonly string[];
  /** Files and folders that run code on their own, or decide what does. */
  readonly meaningful: readonly string[];
  /** Folders that look like a repository of git without files, whose settings git obeys for who stands in them. */
  readonly bare: readonly string[];
  /** Agent directories. */
  readonly agents: readonly string[];
  /** Folders that were not searched, as `walkFolder` returns them. */
  readonly unsearched: readonly string[];
}

/** Folders that are large: in the first nobody stands, and of the second only some files matter. */
const LARGE: readonly string[] = ["node_modules", GIT];

/** Milliseconds. A search that took longer is not repeated before each command. */
const QUICK = 3;

/** Milliseconds for which the result of a slow search is used. */
const FRESH = 30_000;

interface LastSearch {
  readonly contents: WorkspaceContents;
  /** By the clock of the search. */
  readonly at: number;
  readonly took: number;
  /** When it began, in milliseconds since 1970. */
  readonly began: number;
}

/** Searches a workspace again and again. */
export class WorkspaceSearch {
  readonly #folder: string;
  readonly #excluded: ReadonlySet<string>;
  readonly #now: () => number;
  readonly #listings = new FolderListings();
  /** The entries of a listing that matter: most folders do not change from one search to the next. */
  readonly #ofInterest = new WeakMap<readonly Dirent[], readonly Dirent[]>();
  #last: LastSearch | undefined;

  #isRemembered = false;

  /** All paths are absolute and real; what is in `excluded` is not searched. `now` is in milliseconds. */
  constructor(folder: string, excluded: readonly string[], now: () => number = () => performance.now()) {
    this.#folder = folder;
    this.#excluded = new Set(excluded);
    this.#now = now;
  }

  /** Whether the last search was too slow to have another one while somebody waits. */
  get isSlow(): boolean {
    return this.#last !== undefined && this.#last.took > QUICK;
  }

  /** Whether the last `contents` were of an earlier search. */
  get isRemembered(): boolean {
    return this.#isRemembered;
  }

  /** Identifies the folders that were searched; undefined for others. Later searches change nothing in it. */
  identities(): (folder: string) => string | undefined {
    return this.#listings.identities();
  }

  /** When the last search began, in milliseconds since 1970; 0 without one. */
  get began(): number {
    return this.#last?.began ?? 0;
  }

  /** Has the next `contents` search. */
  forget(): void {
    this.#last = undefined;
  }

  /** The contents, of the last search if that was slow and is fresh. */
  contents(): WorkspaceContents {
    const last = this.#last;
    const isFresh = last !== undefined && this.isSlow && this.#now() - last.at < FRESH;
    this.#isRemembered = isFresh;
    return isFresh ? last.contents : this.search();
  }

  /** Searches now. */
  search(): WorkspaceContents {
    const began = Date.now();
    const start = this.#now();
    const contents = searched(this.#folder, this.#excluded, this.#listing());
    const at = this.#now();
    this.#last = { contents, at, took: at - start, began };
    return contents;
  }

  #listing(): ListFolder {
    const list = this.#listings.look();
    return (folder) => {
      const entries = list(folder);
      if (entries === undefined) return undefined;
      const kept = this.#ofInterest.get(entries) ?? entries.filter((entry) => isOfInterest(entry, basename(folder)));
      this.#ofInterest.set(entries, kept);
      return kept;
    };
  }
}

const isOfInterest = (entry: Dirent, folder: string): boolean =>
  entry.isDirectory() ||
  isVariablesFile(entry.name) ||
  isMeaningful(entry.name, folder) ||
  entry.name === HEAD ||
  entry.name === DEFINITION;

const isMeaningful = (name: string, folder: string): boolean =>
  plainName(name) === GIT || isNamedInWorkspace(name, folder);

/** The file by which git knows its folder, and that of an agent directory. */
const HEAD = "HEAD";
const DEFINITION = "agent.mdx";

function searched(folder: string, excluded: ReadonlySet<string>, list: ListFolder): WorkspaceContents {
  const variables: string[] = [];
  const meaningful: string[] = [];
  const bare: string[] = [];
  const agents: string[] = [];
  const visit = (path: string, entry: Dirent): boolean => {
    const { name } = entry;
    if (excluded.has(path)) return false;
    if (isVariablesFile(name)) variables.push(path);
    else if (isMeaningful(name, basename(dirname(path)))) meaningful.push(path);
    else if (name === DEFINITION) agents.push(dirname(path));
    else if (name === HEAD && isBare(dirname(path))) bare.push(dirname(path));
    return entry.isDirectory() && !LARGE.includes(plainName(name));
  };
  const unsearched = walkFolder(folder, visit, { list });
  return { variables, meaningful, bare, agents, unsearched };
}

/** Whether a folder has what git asks of a repository besides its HEAD. */
const isBare = (folder: string): boolean => ["objects", "refs"].every((name) => existsSync(join(folder, name)));
