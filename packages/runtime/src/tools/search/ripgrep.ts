import { existsSync } from "node:fs";
import { join } from "node:path";
import { FileToolError } from "../permitted-file.ts";
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

/** Searches with ripgrep. */
export function ripgrepEngine(search: RipgrepSearch): SearchEngine {
  return {
    matchingFiles: async () => {
      const target = search.file === undefined ? [...WALK, "--", "."] : ["--", `./${search.file}`];
      const output = await run(search, ["--count", ...(search.file === undefined ? [] : ["--text"]), ...target]);
      const files = [...output.matchAll(COUNT)].map(([, path = "", count]) => ({
        path: relative(path),
        count: Number(count),
      }));
      return files.filter(({ path }) => hasName(join(search.root, path)));
    },
    matchingLines: async (paths, most) => {
      const numbers = new Map<string, number[]>(paths.map((path) => [path, []]));
      for (const group of groupsOf(paths)) {
        const targets = group.map((path) => `./${path}`);
        // A line longer than a byte is left out of the output; its number is all that counts.
        const shown = ["--text", "--line-number", "--max-columns=1", `--max-count=${most}`];
        const output = await run(search, [...shown, "--", ...targets]);
        for (const [, path = "", number] of output.matchAll(LINE)) numbers.get(relative(path))?.push(Number(number));
      }
      return numbers;
    },
  };
}

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

async function run({ program, pattern, root, signal }: RipgrepSearch, args: readonly string[]): Promise<string> {
  const words = [program, ...ALWAYS, `--regexp=${pattern.ripgrep}`, ...args];
  const time = AbortSignal.timeout(MOST_SECONDS * 1_000);
  const started = Bun.spawn(words, {
    cwd: root,
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
