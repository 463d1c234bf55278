import { relative } from "node:path";
import { fuzzyMatch } from "@earendil-works/pi-tui";
import { isVisible } from "@mdx-ai/base";
import type { FoundEntry } from "@mdx-ai/tools/walk-files";

/** Milliseconds after which the list is made anew in the background. */
const FRESH = 5_000;
/** Entries that are scored before keys get their turn. */
const CHUNK = 1_000;
/** Entries that are searched; the further ones can be typed. */
const MAX_ENTRIES = 200_000;

interface Scored {
  readonly path: string;
  readonly score: number;
}

/** The files and folders of a folder, without what Git ignores. They are read when they are first needed. */
export class WorkspaceFiles {
  readonly #folder: string;
  readonly #leavesOut: (path: string) => boolean;
  #paths: Promise<readonly string[]> | undefined;
  #at = 0;

  /** `folder` and the folders in it that are left out are absolute. */
  constructor(folder: string, leftOut: readonly string[] = []) {
    const names = leftOut.map((path) => `${relative(folder, path)}/`);
    this.#folder = folder;
    this.#leavesOut = (path) => names.some((name) => path.startsWith(name));
  }

  /** The paths that fit best, the best first; for no query those at the top first. Folders have a `/` at their end. Rejects when `signal` fires. */
  async find(query: string, most: number, signal: AbortSignal): Promise<readonly string[]> {
    const paths = await this.#list();
    signal.throwIfAborted();
    if (query === "") return paths.slice(0, most);
    let best: readonly Scored[] = [];
    for (let from = 0; from < paths.length; from += CHUNK) {
      const found = paths.slice(from, from + CHUNK).flatMap((path) => scored(path, query));
      best = [...best, ...found].sort(byScore).slice(0, most);
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
    return best.map(({ path }) => path);
  }

  /** The list as it was, while a newer one is made. */
  async #list(): Promise<readonly string[]> {
    const now = performance.now();
    const known = this.#paths;
    if (known !== undefined && now - this.#at < FRESH) return known;
    this.#at = now;
    const read = this.#read();
    if (known === undefined) {
      this.#paths = read;
      return read;
    }
    void read.then((paths) => {
      this.#paths = Promise.resolve(paths);
    });
    return known;
  }

  /** Never rejects: a folder that cannot be read has no files to offer. */
  async #read(): Promise<readonly string[]> {
    const { walkFiles } = await import("@mdx-ai/tools/walk-files");
    try {
      const { entries } = await walkFiles({ root: this.#folder, signal: new AbortController().signal });
      const paths = entries.slice(0, MAX_ENTRIES).flatMap(pathOf);
      return byDepth(paths.filter((path) => !this.#leavesOut(path)));
    } catch {
      return [];
    }
  }
}

/** Names that a terminal would not show as they are cannot be offered. */
const pathOf = ({ path, isFolder }: FoundEntry): readonly string[] =>
  isVisible(path) && !path.includes('"') ? [isFolder ? `${path}/` : path] : [];

/** Those at the top first, else in their order. */
function byDepth(paths: readonly string[]): readonly string[] {
  const levels: string[][] = [];
  for (const path of paths) {
    const depth = path.replace(/\/$/, "").split("/").length;
    const level = levels[depth];
    if (level === undefined) levels[depth] = [path];
    else level.push(path);
  }
  return levels.flat();
}

const byScore = (one: Scored, other: Scored): number => one.score - other.score || one.path.length - other.path.length;

/** A match in the name of a file counts more than one in its folders. */
function scored(path: string, query: string): readonly Scored[] {
  const whole = fuzzyMatch(query, path);
  if (!whole.matches) return [];
  const name = path.replace(/\/$/, "").slice(path.replace(/\/$/, "").lastIndexOf("/") + 1);
  const inName = fuzzyMatch(query, name);
  return [{ path, score: inName.matches ? Math.min(whole.score, inName.score - NAME_BONUS) : whole.score }];
}

const NAME_BONUS = 20;
