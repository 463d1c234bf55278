import { resolve } from "node:path";
import { realPlaceOrSame } from "@mdx-ai/base/disk";

/** The messages of programs about a file that cannot be written, is held in its place, or does not exist. */
const SIGNS: Readonly<Record<"read-only" | "busy" | "absent", RegExp>> = {
  "read-only": /\(?\bRead-only file system\b|\bEROFS\b|\[Errno 30\]/gi,
  busy: /\(?\bDevice or resource busy\b|\bEBUSY\b|\[Errno 16\]/gi,
  absent: /\(?\bNo such file or directory\b|\bENOENT\b|\[Errno 2\]/gi,
};

/** JavaScript: `EROFS: read-only file system, open 'x'`, with the target of a copy. */
const OF_JAVASCRIPT = /\b(?:EROFS|EBUSY|ENOENT)\b[^,\n]*, \w+ '([^'\n]+)'(?: -> '([^'\n]+)')?/i;
/** Bun's own commands: `EROFS: Read-only file system: could not open "x" (open)`. */
const OF_BUN = /\b(?:EROFS|EBUSY|ENOENT)\b[^"\n]*"([^"\n]+)"/;
const OF_PYTHON = /\[Errno (?:30|16|2)\] [^:\n]*: '([^'\n]+)'(?: -> '([^'\n]+)')?/;

/** A redirection of a shell: `bash: line 1: ../a b`. */
const OF_SHELL = /^[^:]+: (?:line )?\d+: (?:cannot create )?((?:(?!: ).)+)$/;

/** The last quoted word of a line. */
const QUOTED = /['"`‘]([^'"`‘’]+)['"`’][^'"`‘’]*$/;

/** Messages that are checked, and characters around each: an output may be crafted to be slow. */
const MOST_PATHS = 20;
const LONGEST = 1_000;

/** A `cd` of a command, with its folder in single quotes, in double quotes, or bare. */
const ENTERING = /(?:^|[;&|(\n])\s*(?:cd|pushd)\s+(?:--\s+)?(?:'([^']*)'|"([^"$`\\]*)"|([\w./+@%,=-]+))/g;
const MOST_ENTERED = 10;

/** Whether an output shows that something could not be written. */
export const showsReadOnly = (output: string): boolean => output.search(SIGNS["read-only"]) !== -1;

/** The output of a command, and the folder in which it began. */
interface PathQuestion {
  readonly output: string;
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
}

interface NamedPath {
  /** Its position in the output. */
  readonly index: number;
  /** The paths that it may be, absolute, the likeliest first: a relative one starts in a folder that the command enters. */
  readonly names: readonly string[];
  /** The same, real. */
  readonly paths: readonly string[];
}

/** The paths that an output names as read-only, busy or missing. None has control characters. */
export function namedPaths(sign: keyof typeof SIGNS, { output, command, cwd }: PathQuestion): readonly NamedPath[] {
  const folders = enteredFolders(command, cwd);
  const found = output.matchAll(SIGNS[sign]).take(MOST_PATHS);
  return [...found].flatMap(({ index }) => {
    const start = Math.max(output.lastIndexOf("\n", index) + 1, index - LONGEST);
    const [line = ""] = output.slice(start, index + LONGEST).split("\n");
    const path = pathIn(line, index - start);
    if (path === undefined || /[\p{Cc}\uFFFD]/u.test(path)) return [];
    // What moves a file names the one that is busy first.
    const moved =
      sign === "busy" ? [...line.slice(0, index - start).matchAll(/'([^']+)'/g)].map(([, word]) => word) : [];
    const named = [...moved, path].filter((one) => one !== undefined);
    const names = [...new Set(named.flatMap((one) => folders.map((folder) => resolve(folder, one))))];
    return [{ index, names, paths: [...new Set(names.map(realPlaceOrSame))] }];
  });
}

/** The path in a line, whose problem the line states at `index`. */
function pathIn(line: string, index: number): string | undefined {
  const [, from, to] =
    [OF_JAVASCRIPT, OF_PYTHON, OF_BUN].reduce<RegExpExecArray | null>(
      (found, pattern) => found ?? pattern.exec(line),
      null,
    ) ?? [];
  if (from !== undefined) return to ?? from;
  const before = line.slice(0, index).replace(/[\s:(]+$/, "");
  const quoted = quotedWordAtEnd(before) ?? OF_SHELL.exec(before)?.[1] ?? QUOTED.exec(before)?.[1];
  if (quoted !== undefined) return quoted;
  const pieces = before.split(": ");
  return pieces
    .slice(pieces.length > 1 ? 1 : 0)
    .reverse()
    .map((piece) => ({ word: piece.split(/\s+/).at(-1) ?? "", isWord: !/\s/.test(piece) }))
    .find(({ word, isWord }) => word !== "" && (isWord || word.includes("/")))?.word;
}

/** The folders that a command is in, the last first. */
function enteredFolders(command: string, cwd: string): readonly string[] {
  const folders = [cwd];
  for (const [, single, double, bare] of command.matchAll(ENTERING).take(MOST_ENTERED)) {
    folders.push(resolve(folders.at(-1) ?? cwd, single ?? double ?? bare ?? "."));
  }
  return folders.toReversed();
}

const SEGMENT = String.raw`\$'(?:[^'\\]|\\.)*'|'[^']*'|"[^"]*"`;
const SEGMENTS = new RegExp(SEGMENT, "g");
const AT_END = new RegExp(`(?:${SEGMENT})+$`);

/** A number of a byte, another character that is escaped, or characters as they are. */
const PIECE = /\\([0-7]{1,3})|\\(.)|([^\\]+)/g;

/** Escapes that stand for control characters. */
const CONTROLS = "abefnrtv";

/**
 * The word at the end of a text as programs quote it for a shell, such as `'../'$'\303\274'`; undefined if none is quoted. A control
 * character that is written as a letter becomes U+0000.
 */
function quotedWordAtEnd(text: string): string | undefined {
  const [word] = AT_END.exec(text) ?? [];
  if (word === undefined) return undefined;
  const segments = [...word.matchAll(SEGMENTS)].map(([segment]) => bytesOf(segment));
  return Buffer.concat(segments).toString();
}

function bytesOf(segment: string): Buffer {
  if (!segment.startsWith("$")) return Buffer.from(segment.slice(1, -1));
  const pieces = [...segment.slice(2, -1).matchAll(PIECE)].map(([, octal, escaped, plain]) => {
    if (octal !== undefined) return Buffer.of(Number.parseInt(octal, 8));
    if (escaped !== undefined) return Buffer.from(CONTROLS.includes(escaped) ? "\0" : escaped);
    return Buffer.from(plain ?? "");
  });
  return Buffer.concat(pieces);
}
