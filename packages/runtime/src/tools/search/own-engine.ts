import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { boundedSearch } from "@mdx-ai/parser/bounded-search";
import { attempt } from "../../attempt.ts";
import { afterTimers } from "../../pauses.ts";
import { FileToolError } from "../permitted-file.ts";
import { withPermitted } from "../read-window.ts";
import { type MatchingFile, MOST_FILE_BYTES, MOST_SECONDS, type Search, type SearchEngine } from "./search-root.ts";
import { walkFiles } from "./walk-files.ts";

export interface OwnEngine extends SearchEngine {
  /** Of these files, those with a match. Rejects with `FileToolError`. */
  filesAmong(paths: readonly string[]): Promise<readonly MatchingFile[]>;
}

/** Searches without another program: the same files and lines as ripgrep, more slowly. */
export function ownEngine({ pattern, root, file, signal }: Search): OwnEngine {
  const fits = boundedSearch(pattern.script);
  const deadline = performance.now() + MOST_SECONDS * 1_000;
  const matches = (line: string): boolean => {
    const found = performance.now() > deadline ? undefined : fits(line);
    if (found !== undefined) return found;
    throw new FileToolError("the search takes too long: write a simpler pattern, or search in fewer files");
  };
  const numbers = (path: string, most: number, isBinaryToo: boolean): readonly number[] => {
    const text = attempt(() => textOf(join(root, path), isBinaryToo));
    return text === undefined ? [] : matchingNumbers(text, matches, most);
  };
  const filesAmong = async (paths: readonly string[]): Promise<readonly MatchingFile[]> => {
    const found: MatchingFile[] = [];
    for (const path of paths) {
      signal.throwIfAborted();
      const { length: count } = numbers(path, Number.POSITIVE_INFINITY, file !== undefined);
      if (count > 0) found.push({ path, count });
      await afterTimers();
    }
    return found;
  };
  return {
    filesAmong,
    matchingFiles: async () => filesAmong(file === undefined ? await filesBelow(root, signal) : [file]),
    matchingLines: async (paths, most) => {
      const found = new Map<string, readonly number[]>();
      for (const path of paths) {
        signal.throwIfAborted();
        found.set(path, numbers(path, most, true));
        await afterTimers();
      }
      return found;
    },
  };
}

async function filesBelow(root: string, signal: AbortSignal): Promise<readonly string[]> {
  const { entries } = await walkFiles({ root, signal });
  return entries.flatMap(({ path, isFolder, isLink }) => (isFolder || isLink ? [] : path));
}

/**
 * Undefined for a binary file, which has a null byte, for one that is too large, and if a link or a pipe took its place. Throws what
 * the file system says.
 */
function textOf(path: string, isBinaryToo: boolean): string | undefined {
  const bytes = withPermitted({ path, permitted: path }, (descriptor, stats) =>
    stats.isFile() && stats.size <= MOST_FILE_BYTES ? readFileSync(descriptor) : undefined,
  );
  if (bytes === undefined || (bytes.includes(0) && !isBinaryToo)) return undefined;
  return isUtf8(bytes) ? bytes.toString("utf8") : textWithMarks(bytes);
}

/** Half a surrogate pair, which no text in UTF-8 has and no pattern matches. */
const MARK = "\uDFFF";

/** Bytes as text, with `MARK` for those that are not UTF-8. */
const textWithMarks = (bytes: Buffer): string =>
  bytes
    .toString("latin1")
    // The character that a decoder writes may be in the file, too.
    .split(Buffer.from("\uFFFD").toString("latin1"))
    .map((part) => Buffer.from(part, "latin1").toString("utf8").replaceAll("\uFFFD", MARK))
    .join("\uFFFD");

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
