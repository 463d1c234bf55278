import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { boundedSearch } from "@mdx-ai/parser/bounded-search";
import { attempt } from "../../attempt.ts";
import { FileToolError } from "../permitted-file.ts";
import { afterTimers } from "../shell-output.ts";
import { MOST_FILE_BYTES, MOST_SECONDS, type Search, type SearchEngine } from "./search-root.ts";
import { walkFiles } from "./walk-files.ts";

/** Searches without another program: the same files and lines as ripgrep, more slowly. */
export function ownEngine({ pattern, root, file, signal }: Search): SearchEngine {
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
  return {
    matchingFiles: async () => {
      const files = file === undefined ? await filesBelow(root, signal) : [file];
      const found: { path: string; count: number }[] = [];
      for (const path of files) {
        signal.throwIfAborted();
        const { length: count } = numbers(path, Number.POSITIVE_INFINITY, file !== undefined);
        if (count > 0) found.push({ path, count });
        await afterTimers();
      }
      return found;
    },
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

/** Undefined for a binary file, which has a null byte, and for one that is too large. */
function textOf(path: string, isBinaryToo: boolean): string | undefined {
  const stats = statSync(path);
  if (!stats.isFile() || stats.size > MOST_FILE_BYTES) return undefined;
  const bytes = readFileSync(path);
  if (bytes.includes(0) && !isBinaryToo) return undefined;
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
