import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterTimers, attempt, errorMessage } from "@mdx-ai/base";
import { boundedSearch } from "@mdx-ai/parser/bounded-search";
import { FileToolError } from "@mdx-ai/permissions";
import { withPermitted } from "../read-window.ts";
import { patternError, type SearchPattern } from "./search-pattern.ts";
import { MAX_FILE_BYTES, MAX_SECONDS, type Search, type SearchEngine } from "./search-root.ts";
import { walkFiles } from "./walk-files.ts";

/** Searches line by line in this process. Throws `FileToolError` for an unsupported pattern. */
export function inProcessEngine({ pattern, root, file, signal }: Search): SearchEngine {
  const matches = lineTest(pattern);
  const numbersIn = async (paths: readonly string[], most: number, isBinaryToo: boolean) => {
    const found = new Map<string, readonly number[]>();
    for (const path of paths) {
      signal.throwIfAborted();
      const text = attempt(() => textOf(join(root, path), isBinaryToo));
      found.set(path, text === undefined ? [] : matchingNumbers(text, matches, most));
      await afterTimers();
    }
    return found;
  };
  return {
    matchingFiles: async () => {
      const paths = file === undefined ? await filesBelow(root, signal) : [file];
      const found = await numbersIn(paths, Number.POSITIVE_INFINITY, file !== undefined);
      return [...found].flatMap(([path, { length: count }]) => (count === 0 ? [] : { path, count }));
    },
    matchingLines: (paths, most) => numbersIn(paths, most, true),
  };
}

/** Throws `FileToolError` for an unsupported pattern, and on a timeout. */
function lineTest({ source, ignoresCase, seesReturns }: SearchPattern): (line: string) => boolean {
  const fits = boundedTest(source, ignoresCase);
  const deadline = performance.now() + MAX_SECONDS * 1_000;
  return (line) => {
    const text = !seesReturns && line.endsWith("\r") ? line.slice(0, -1) : line;
    const found = performance.now() > deadline ? undefined : fits(text);
    if (found !== undefined) return found;
    throw new FileToolError("the search takes too long: write a simpler pattern, or search in fewer files");
  };
}

function boundedTest(source: string, ignoresCase: boolean): (text: string) => boolean | undefined {
  try {
    return boundedSearch(source, { ignoresCase });
  } catch (error) {
    throw patternError(errorMessage(error).replace(/^Invalid regular expression: /, ""), error);
  }
}

async function filesBelow(root: string, signal: AbortSignal): Promise<readonly string[]> {
  const { entries } = await walkFiles({ root, signal });
  return entries.flatMap(({ path, isFolder, isLink }) => (isFolder || isLink ? [] : path));
}

/**
 * Undefined for a binary file (with a null byte), for one that is too large, and if a link or a pipe has replaced it. Throws the
 * file system's error.
 */
function textOf(path: string, isBinaryToo: boolean): string | undefined {
  const bytes = withPermitted({ path, permitted: path }, (descriptor, stats) =>
    stats.isFile() && stats.size <= MAX_FILE_BYTES ? readFileSync(descriptor) : undefined,
  );
  return bytes === undefined || (bytes.includes(0) && !isBinaryToo) ? undefined : bytes.toString("utf8");
}

function matchingNumbers(text: string, matches: (line: string) => boolean, most: number): readonly number[] {
  const numbers: number[] = [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const [index, line] of lines.entries()) {
    if (numbers.length >= most) break;
    if (matches(line)) numbers.push(index + 1);
  }
  return numbers;
}
