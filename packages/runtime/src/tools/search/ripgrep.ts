import { closeSync, constants, existsSync, lstatSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { PATH_ONLY } from "../../files/real-place.ts";
import { checkOpened, FileToolError, HAS_DESCRIPTOR_PATHS } from "../permitted-file.ts";
import type { OwnEngine } from "./own-engine.ts";
import { MOST_FILE_BYTES, MOST_SECONDS, type Search, type SearchEngine } from "./search-root.ts";

interface RipgrepSearch extends Search {
  /** Absolute. */
  readonly program: string;
}

/** Bytes of output that are kept: the names of a million files. */
const MOST_OUTPUT = 256 * 1024 * 1024;

/** No settings of the user, whichever files it looks at, and no decoding: the own engine has the same rules. */
const ALWAYS = [
  "--no-config",
  "--no-messages",
  "--color=never",
  "--encoding=none",
  "--case-sensitive",
  "--null",
  "--with-filename",
];
const WALK = [
  "--hidden",
  "--no-require-git",
  "--no-ignore-global",
  "--glob=!.git",
  `--max-filesize=${MOST_FILE_BYTES}`,
];

/**
 * Searches with ripgrep, which opens files by their names: a link that takes the place of a folder meanwhile would lead it elsewhere.
 * So the own engine repeats the search of files in folders that changed.
 */
export function ripgrepEngine(search: RipgrepSearch): SearchEngine {
  const since = Date.now() - BEHIND;
  return {
    matchingFiles: async () => {
      const target = search.file === undefined ? [...WALK, "--", "."] : ["--", `./${search.file}`];
      const words = ["--count", ...(search.file === undefined ? [] : ["--text"]), ...target];
      const output = search.file === undefined ? await walkedOutput(search, words) : await run(search, words);
      if (output === undefined) return (await own(search)).matchingFiles();
      const found = [...output.matchAll(COUNT)]
        .map(([, path = "", count]) => ({ path: relative(path), count: Number(count) }))
        .filter(({ path }) => hasName(join(search.root, path)));
      const { settled = [], doubtful = [] } = Object.groupBy(found, doubts(search.root, since));
      if (doubtful.length === 0) return found;
      const engine = await own(search);
      return [...settled, ...(await engine.filesAmong(doubtful.map(({ path }) => path)))];
    },
    matchingLines: async (paths, most) => {
      const numbers = await numbersOf(paths, most, search);
      const doubt = doubts(search.root, since);
      const doubtful = paths.filter((path) => doubt({ path }) === "doubtful");
      if (doubtful.length === 0) return numbers;
      const engine = await own(search);
      return new Map([...numbers, ...(await engine.matchingLines(doubtful, most))]);
    },
  };
}

/** Milliseconds after which the rules of all folders are checked: few searches take longer. */
const PATIENCE = 500;

/** The output of a search in all files of a folder; undefined if a file of rules would never end. Rejects as `run` does. */
async function walkedOutput(search: RipgrepSearch, words: readonly string[]): Promise<string | undefined> {
  const { root, signal } = search;
  const { hasSpecialRules, hasSpecialRulesBelow } = await import("./special-rules.ts");
  if (hasSpecialRules(root)) return undefined;
  const endless = new AbortController();
  const done = new AbortController();
  const check = async (): Promise<void> => {
    if (await hasSpecialRulesBelow(root, AbortSignal.any([signal, done.signal]))) endless.abort();
  };
  // A check that fails leaves the search to its limit of time.
  const timer = setTimeout(() => void check().catch(() => {}), PATIENCE);
  try {
    return await run({ ...search, signal: AbortSignal.any([signal, endless.signal]) }, words);
  } catch (error) {
    if (endless.signal.aborted && !signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    done.abort();
  }
}

const own = async (search: Search): Promise<OwnEngine> => (await import("./own-engine.ts")).ownEngine(search);

/** By path, the numbers of the first matching lines. */
async function numbersOf(
  paths: readonly string[],
  most: number,
  search: RipgrepSearch,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const numbers = new Map<string, number[]>(paths.map((path) => [path, []]));
  for (const group of groupsOf(paths)) {
    const targets = group.map((path) => `./${path}`);
    // A line longer than a byte is left out of the output; its number is all that counts.
    const shown = ["--text", "--line-number", "--max-columns=1", `--max-count=${most}`];
    const output = await run(search, [...shown, "--", ...targets]);
    for (const [, path = "", number] of output.matchAll(LINE)) numbers.get(relative(path))?.push(Number(number));
  }
  return numbers;
}

/** Milliseconds by which the times of a file system may be behind the clock. */
const BEHIND = 50;

/** Says whether the folders of a file, which is relative to the root, are as they were at a moment before. It looks at each folder once. */
function doubts(root: string, since: number): (file: { readonly path: string }) => "settled" | "doubtful" {
  const known = new Map<string, boolean>();
  const isSettled = (folder: string): boolean => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const above = folder === "." || isSettled(dirname(folder));
    const isSame = above && isUnchanged(join(root, folder), since);
    known.set(folder, isSame);
    return isSame;
  };
  return ({ path }) => (isSettled(dirname(path)) ? "settled" : "doubtful");
}

/** Whether a folder is there in which nothing was made, removed or renamed since a moment. The time of that cannot be forged. */
const isUnchanged = (folder: string, since: number): boolean => {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.ctimeMs < since;
};

/** With `--null`, a null byte ends a path, which may have line ends. */
const COUNT = /([^\0]+)\0(\d+)\n/g;
const LINE = /([^\0]+)\0(\d+):[^\n]*\n/g;

/** A name that is not UTF-8 cannot be written: with U+FFFD it is that of no file. */
const hasName = (path: string): boolean => !path.includes("\uFFFD") || existsSync(path);

const relative = (path: string): string => path.replace(/^\.\//, "");

/** Bytes of paths that one process takes: a system allows some 1 MB of arguments and variables. */
const MOST_ARGUMENTS = 256 * 1024;

function groupsOf(paths: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let left = 0;
  for (const path of paths) {
    const bytes = Buffer.byteLength(path) + 3;
    if (groups.length === 0 || bytes > left) {
      groups.push([]);
      left = MOST_ARGUMENTS;
    }
    groups.at(-1)?.push(path);
    left -= bytes;
  }
  return groups;
}

async function run(search: RipgrepSearch, args: readonly string[]): Promise<string> {
  const { root } = search;
  if (!HAS_DESCRIPTOR_PATHS) return runIn(root, search, args);
  const folder = openSync(root, PATH_ONLY | constants.O_DIRECTORY);
  try {
    // Its name may mean another folder when the program starts there.
    checkOpened(folder, { path: root, permitted: root });
    return await runIn(`/proc/${process.pid}/fd/${folder}`, search, args);
  } finally {
    closeSync(folder);
  }
}

async function runIn(
  cwd: string,
  { program, pattern, signal }: RipgrepSearch,
  args: readonly string[],
): Promise<string> {
  const words = [program, ...ALWAYS, `--regexp=${pattern.ripgrep}`, ...args];
  const time = AbortSignal.timeout(MOST_SECONDS * 1_000);
  const started = Bun.spawn(words, {
    cwd,
    env: {},
    stdio: ["ignore", "pipe", "pipe"],
    signal: AbortSignal.any([signal, time]),
    maxBuffer: MOST_OUTPUT,
  });
  const [output, errors] = await Promise.all([
    new Response(started.stdout).text(),
    new Response(started.stderr).text(),
  ]);
  await started.exited;
  signal.throwIfAborted();
  if (time.aborted)
    throw new FileToolError(`the search took longer than ${MOST_SECONDS} seconds: search in fewer files`);
  if (started.exitCode === 2 && errors.trim() !== "") throw new FileToolError(errors.trim().slice(0, 1_000));
  return output;
}
