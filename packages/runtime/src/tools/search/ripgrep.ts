import { FileToolError } from "../permitted-file.ts";
import { type MatchingFile, MOST_FILE_BYTES, MOST_SECONDS, type Search, type SearchEngine } from "./search-root.ts";

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
  "--crlf",
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
      return output.split("\n").flatMap(fileOf);
    },
    matchingLines: async (path, most) => {
      // A line longer than a byte is left out of the output; its number is all that counts.
      const output = await run(search, [
        "--text",
        "--line-number",
        "--max-columns=1",
        `--max-count=${most}`,
        "--",
        `./${path}`,
      ]);
      return output.split("\n").flatMap((line) => {
        const number = Number.parseInt(line.slice(line.indexOf("\0") + 1), 10);
        return line.includes("\0") ? [number] : [];
      });
    },
  };
}

function fileOf(line: string): readonly MatchingFile[] {
  const end = line.indexOf("\0");
  if (end === -1) return [];
  return [{ path: line.slice(0, end).replace(/^\.\//, ""), count: Number(line.slice(end + 1)) }];
}

async function run({ program, pattern, root, signal }: RipgrepSearch, args: readonly string[]): Promise<string> {
  const letters = pattern.ignoresCase ? "--ignore-case" : "--case-sensitive";
  const words = [program, ...ALWAYS, letters, `--regexp=${pattern.ripgrep}`, ...args];
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
