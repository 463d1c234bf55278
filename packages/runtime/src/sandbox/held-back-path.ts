import { resolve } from "node:path";
import { realPlaceOrSame } from "../files/real-place.ts";

/** What programs write when a file cannot be written. */
const READ_ONLY = /\(?\bRead-only file system\b|\bEROFS\b|\[Errno 30\]/gi;

/** JavaScript: `EROFS: read-only file system, open 'x'`, with where a file was to be copied to. */
const OF_JAVASCRIPT = /\bEROFS\b[^,\n]*, \w+ '([^'\n]+)'(?: -> '([^'\n]+)')?/i;
/** Bun's own commands: `EROFS: Read-only file system: could not open "x" (open)`. */
const OF_BUN = /\bEROFS\b[^"\n]*"([^"\n]+)"/;
const OF_PYTHON = /\[Errno 30\] [^:\n]*: '([^'\n]+)'(?: -> '([^'\n]+)')?/;

/** The last quoted word of a line. */
const QUOTED = /['"`‘]([^'"`‘’]+)['"`’][^'"`‘’]*$/;

/** Messages that are looked at, and characters around each: an output may be made to be slow. */
const MOST_PATHS = 20;
const LONGEST = 1_000;

/** Whether an output shows that something could not be written. */
export const showsReadOnly = (output: string): boolean => output.search(READ_ONLY) !== -1;

/**
 * The paths, absolute and real, that an output names as read-only, with where it does. A relative path starts in the folder
 * that the command enters first.
 */
export function namedPaths(
  output: string,
  command: string,
  cwd: string,
): readonly { readonly index: number; readonly path: string }[] {
  const folder = enteredFolder(command, cwd);
  const found = output.matchAll(READ_ONLY).take(MOST_PATHS);
  return [...found].flatMap(({ index }) => {
    const start = Math.max(output.lastIndexOf("\n", index) + 1, index - LONGEST);
    const [line = ""] = output.slice(start, index + LONGEST).split("\n");
    const path = pathIn(line, index - start);
    return path === undefined || path.includes("\0") ? [] : [{ index, path: realPlaceOrSame(resolve(folder, path)) }];
  });
}

/** The path in a line, which says at `index` that it is read-only. */
function pathIn(line: string, index: number): string | undefined {
  const [, from, to] =
    [OF_JAVASCRIPT, OF_PYTHON, OF_BUN].reduce<RegExpExecArray | null>(
      (found, pattern) => found ?? pattern.exec(line),
      null,
    ) ?? [];
  if (from !== undefined) return to ?? from;
  const before = line.slice(0, index).replace(/[\s:(]+$/, "");
  const quoted = QUOTED.exec(before)?.[1];
  if (quoted !== undefined) return quoted;
  const pieces = before.split(": ");
  return pieces
    .slice(pieces.length > 1 ? 1 : 0)
    .reverse()
    .map((piece) => ({ word: piece.split(/\s+/).at(-1) ?? "", isWord: !/\s/.test(piece) }))
    .find(({ word, isWord }) => word !== "" && (isWord || word.includes("/")))?.word;
}

/** The folder of `cd FOLDER && …`; else where the command starts. */
function enteredFolder(command: string, cwd: string): string {
  const [, quoted, bare] = /^\s*cd\s+(?:'([^']*)'|([\w./-]+))\s*(?:&&|;|\n)/.exec(command) ?? [];
  return resolve(cwd, quoted ?? bare ?? ".");
}
