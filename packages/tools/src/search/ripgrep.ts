import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { foldersFrom } from "@mdx-ai/base";
import { findProgram, installFolders, type ProgramSearch, realPathOrSame } from "@mdx-ai/base/disk";
import { FileToolError } from "@mdx-ai/permissions";
import { IgnoreRules } from "./ignore-rules.ts";
import { patternError, type SearchPattern } from "./search-pattern.ts";
import { MAX_FILE_BYTES, MAX_SECONDS, type Search, type SearchEngine } from "./search-root.ts";

/** The user's ripgrep, or the one of the optional package beside mdx-ai; undefined if there is neither. Never throws. */
export const findRipgrep = (search: ProgramSearch): string | undefined =>
  findProgram("rg", search) ?? findProgram("rg", { ...search, environment: { PATH: packagedFolders() } });

/** The folders where it may be: the package for this platform is beside the main package, which some installers link to. */
const packagedFolders = (): string =>
  installFolders()
    .map((folder) => join(folder, "node_modules/@vscode/ripgrep"))
    .filter((folder) => existsSync(folder))
    .map((folder) => join(`${realPathOrSame(folder)}-${process.platform}-${process.arch}`, "bin"))
    .join(delimiter);

/** The most bytes of output that are kept: the names of a million files. */
const MAX_OUTPUT = 256 * 1024 * 1024;

/** Ignores the user's settings, searches all files, and does not decode. */
const ALWAYS = ["--no-config", "--no-messages", "--color=never", "--encoding=none", "--null", "--with-filename"];
const WALK = ["--hidden", "--no-ignore-global", "--glob=!.git", `--max-filesize=${MAX_FILE_BYTES}`];

/** How it treats ignore rules in a folder and above it. */
const ruleFlags = (root: string): readonly string[] => [
  ...(IgnoreRules.at(root).isRelaxed ? ["--no-ignore-parent"] : []),
  // In a repository, newer versions would treat a repository's rules as the rules within it.
  ...(foldersFrom(root).some((folder) => existsSync(join(folder, ".git"))) ? [] : ["--no-require-git"]),
];

/** Searches with the ripgrep at an absolute path. It opens files by name. */
export function ripgrepEngine(search: Search, program: string): SearchEngine {
  const { root, file } = search;
  return {
    matchingFiles: async () => {
      const target = file === undefined ? [...WALK, ...ruleFlags(root), "--", "."] : ["--text", "--", `./${file}`];
      const output = await run(program, search, ["--count", ...target]);
      return [...output.matchAll(COUNT)]
        .map(([, path = "", count]) => ({ path: relative(path), count: Number(count) }))
        .filter(({ path }) => hasName(join(root, path)));
    },
    matchingLines: async (paths, most) => {
      const numbers = new Map<string, number[]>(paths.map((path) => [path, []]));
      for (const group of groupsOf(paths)) {
        const targets = group.map((path) => `./${path}`);
        // Only line numbers are needed, so longer lines are left out of the output.
        const shown = ["--text", "--line-number", "--max-columns=1", `--max-count=${most}`];
        const output = await run(program, search, [...shown, "--", ...targets]);
        for (const [, path = "", number] of output.matchAll(LINE)) numbers.get(relative(path))?.push(Number(number));
      }
      return numbers;
    },
  };
}

/** With `--null`, a null byte ends a path, which may contain line ends. With `--crlf`, the output has Windows line ends. */
const COUNT = /([^\0]+)\0(\d+)\r?\n/g;
const LINE = /([^\0]+)\0(\d+):[^\n]*\n/g;

/** A name that is not UTF-8 cannot be passed: with U+FFFD it names no file. */
const hasName = (path: string): boolean => !path.includes("\uFFFD") || existsSync(path);

const relative = (path: string): string => path.replace(/^\.\//, "");

/** The most bytes of paths for one process: a system allows about 1 MB of arguments and variables. */
const MAX_ARGUMENTS = 256 * 1024;

function groupsOf(paths: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let left = 0;
  for (const path of paths) {
    const bytes = Buffer.byteLength(path) + 3;
    if (groups.length === 0 || bytes > left) {
      groups.push([]);
      left = MAX_ARGUMENTS;
    }
    groups.at(-1)?.push(path);
    left -= bytes;
  }
  return groups;
}

const patternFlags = ({ source, ignoresCase, seesReturns }: SearchPattern): readonly string[] => [
  ignoresCase ? "--ignore-case" : "--case-sensitive",
  ...(seesReturns ? [] : ["--crlf"]),
  `--regexp=${source}`,
];

/** The output of ripgrep. Rejects with `FileToolError`. */
async function run(program: string, { root, pattern, signal }: Search, args: readonly string[]): Promise<string> {
  const time = AbortSignal.timeout(MAX_SECONDS * 1_000);
  const started = Bun.spawn([program, ...ALWAYS, ...patternFlags(pattern), ...args], {
    cwd: root,
    env: {},
    stdio: ["ignore", "pipe", "pipe"],
    signal: AbortSignal.any([signal, time]),
    maxBuffer: MAX_OUTPUT,
  });
  const [output, errors] = await Promise.all([started.stdout.text(), started.stderr.text(), started.exited]);
  signal.throwIfAborted();
  if (time.aborted)
    throw new FileToolError(`the search took longer than ${MAX_SECONDS} seconds: search in fewer files`);
  if (started.exitCode === 2 && errors.trim() !== "") throw ripgrepError(errors.trim());
  return output;
}

function ripgrepError(text: string): FileToolError {
  const reason = /regex parse error[\s\S]*^error: (.+)$/m.exec(text)?.[1];
  return reason === undefined ? new FileToolError(text.slice(0, 1_000)) : patternError(reason);
}
