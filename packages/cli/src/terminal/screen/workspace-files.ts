import { relative } from "node:path";
import { fuzzyMatch } from "@earendil-works/pi-tui";
import { isVisible } from "@mdx-ai/base";
import type { FoundEntry } from "@mdx-ai/tools/walk-files";

/** Milliseconds after which the list is refreshed in the background. */
const FRESH = 5_000;
/** Entries scored before key presses are handled. */
const CHUNK = 1_000;
/** Entries that are searched; others can still be typed. */
const MAX_ENTRIES = 200_000;

interface Scored {
  readonly path: string;
  readonly score: number;
}

/** The files and folders of a folder, except those that Git ignores. Read on first use. */
export class WorkspaceFiles {
  readonly #folder: string;
  readonly #leavesOut: (path: string) => boolean;
  #paths: Promise<readonly string[]> | undefined;
  #at = 0;

  /** `folder` and `leftOut` are absolute. */
  constructor(folder: string, leftOut: readonly string[] = []) {
    const names = leftOut.map((path) => `${relative(folder, path)}/`);
    this.#folder = folder;
    this.#leavesOut = (path) => names.some((name) => path.startsWith(name));
  }

  /** The best matches, best first; for an empty query, top-level entries first. Folders end with `/`. Rejects when `signal` fires. */
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

  /** Returns the old list while a newer one is read. */
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

  /** Never rejects: an unreadable folder has no entries. */
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

/** Excludes names that a terminal cannot show unchanged. */
const pathOf = ({ path, isFolder }: FoundEntry): readonly string[] =>
  isVisible(path) && !path.includes('"') ? [isFolder ? `${path}/` : path] : [];

/** Top-level entries first, otherwise in order. */
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

/** A match in the file's name counts more than one in its folders. */
function scored(path: string, query: string): readonly Scored[] {
  const whole = fuzzyMatch(query, path);
  if (!whole.matches) return [];
  const name = path.replace(/\/$/, "").slice(path.replace(/\/$/, "").lastIndexOf("/") + 1);
  const inName = fuzzyMatch(query, name);
  return [{ path, score: inName.matches ? Math.min(whole.score, inName.score - NAME_BONUS) : whole.score }];
}

const NAME_BONUS = 20;
