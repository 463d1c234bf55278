import { readFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, type JsonObject } from "@mdx-ai/base";
import { readBytes } from "@mdx-ai/base/disk";
import { headOf, OUTPUT_LIMIT, type ToolContext } from "@mdx-ai/loop";
import { FileToolError } from "@mdx-ai/permissions";
import { withPermitted } from "../read-window.ts";
import { inProcessEngine } from "./in-process-engine.ts";
import { ripgrepEngine } from "./ripgrep.ts";
import { searchPattern } from "./search-pattern.ts";
import {
  MAX_FILE_BYTES,
  type MatchingFile,
  resultPaths,
  type SearchEngine,
  type SearchRoot,
  type ShownFiles,
  searchedPath,
  searchRoot,
} from "./search-root.ts";
import { byText, pathFilter } from "./walk-files.ts";

/** The most characters of a result, without its notes. */
const MAX_CHARACTERS = OUTPUT_LIMIT - 1_000;
const BINARY_SAMPLE = 8_000;

export interface GrepOptions {
  readonly shownFiles: ShownFiles;
  /** The path of ripgrep; undefined to search in this process. */
  readonly ripgrep: string | undefined;
}

/** Searches files for a pattern; returns text for a model. Rejects with `FileToolError`. */
export async function grep(
  args: JsonObject,
  { cwd, access, signal }: ToolContext,
  { shownFiles, ripgrep }: GrepOptions,
): Promise<string> {
  const root = searchRoot(searchedPath(args, cwd), access);
  const pattern = searchPattern(String(args["pattern"]), args["ignore_case"] === true);
  const fits = typeof args["glob"] === "string" ? pathFilter(args["glob"], root.folder) : () => true;
  const isShown = shownFiles("grep", root.file === undefined ? root.folder : join(root.folder, root.file));
  refuseUnsearchable(root);
  const search = { pattern, root: root.folder, file: root.file, signal };
  const engine = ripgrep === undefined ? inProcessEngine(search) : ripgrepEngine(search, ripgrep);
  const files = (await engine.matchingFiles())
    .filter(({ path }) => fits(path) && isShown(join(root.folder, path)))
    .toSorted((one, other) => byText(one.path, other.path));
  if (files.length === 0) return "[no matches]";
  const limit = Number(args["limit"] ?? 200);
  const named = resultPaths(root.folder, cwd);
  switch (args["mode"]) {
    case "files":
      return listText(
        files.map(({ path }) => named(path)),
        limit,
        "files",
      );
    case "count":
      return listText(
        files.map(({ path, count }) => `${named(path)}: ${count}`),
        limit,
        "files",
      );
    default:
      return linesText(engine, files, { folder: root.folder, named, context: Number(args["context"] ?? 0), limit });
  }
}

/** In a folder, such files are skipped. */
function refuseUnsearchable({ folder, file }: SearchRoot): void {
  if (file === undefined) return;
  const path = join(folder, file);
  withPermitted({ path, permitted: path }, (descriptor, { size }) => {
    if (size > MAX_FILE_BYTES) {
      throw new FileToolError(`${JSON.stringify(file)} is too large to be searched (${size} bytes): use a command`);
    }
    const head = readBytes(descriptor, 0, Math.min(size, BINARY_SAMPLE));
    if (head.includes(0)) throw new FileToolError(`${JSON.stringify(file)} is a binary file`);
  });
}

/** Lines of a result up to a limit, with a note of how many are left out. */
export function listText(lines: readonly string[], limit: number, what: string): string {
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines.slice(0, limit)) {
    characters += line.length + 1;
    if (characters > MAX_CHARACTERS) break;
    shown.push(line);
  }
  const more = lines.length - shown.length;
  return more === 0
    ? shown.join("\n")
    : [...shown, `[${more} more ${what}: narrow the search or raise limit]`].join("\n");
}

interface LinesRequest {
  readonly folder: string;
  readonly named: (path: string) => string;
  readonly context: number;
  readonly limit: number;
}

async function linesText(
  engine: SearchEngine,
  files: readonly MatchingFile[],
  { folder, named, context, limit }: LinesRequest,
): Promise<string> {
  const blocks: string[] = [];
  let left = limit;
  let characters = 0;
  let shownFiles = 0;
  for (const [path, numbers] of await engine.matchingLines(pathsThatFit(files, limit), limit)) {
    if (left <= 0 || characters > MAX_CHARACTERS) break;
    const lines = linesOfFile(join(folder, path));
    shownFiles += 1;
    if (lines === undefined) continue;
    const block = fitting(
      [named(path), ...shownLines(lines, numbers.slice(0, left), context)],
      MAX_CHARACTERS - characters,
    );
    characters += block.text.length + 1;
    left -= block.matches;
    blocks.push(block.text);
    if (block.isCut) break;
  }
  const all = files.reduce((sum, { count }) => sum + count, 0);
  return [...blocks, ...noteOfMore(all - (limit - left), files.length - shownFiles)].join("\n");
}

/** As many files as a result can show, by matching lines or characters. */
function pathsThatFit(files: readonly MatchingFile[], most: number): readonly string[] {
  const paths: string[] = [];
  let lines = 0;
  let characters = 0;
  for (const { path, count } of files) {
    if (lines >= most || characters > MAX_CHARACTERS) break;
    paths.push(path);
    lines += count;
    characters += path.length;
  }
  return paths;
}

/** A note about matching lines that are not shown, some of them in other files. */
function noteOfMore(lines: number, files: number): readonly string[] {
  if (lines <= 0) return [];
  const where = files > 0 ? `, with ${files} more ${files === 1 ? "file" : "files"}` : "";
  return [`[${lines} more matching ${lines === 1 ? "line" : "lines"}${where}: narrow the search or raise limit]`];
}

interface Block {
  readonly text: string;
  /** The number of matching lines that it shows. */
  readonly matches: number;
  readonly isCut: boolean;
}

function fitting(lines: readonly string[], most: number): Block {
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines) {
    characters += line.length + 1;
    if (characters > most) break;
    shown.push(line);
  }
  const matches = shown.slice(1).filter((line) => /^\d+:/.test(line)).length;
  return { text: shown.join("\n"), matches, isCut: shown.length < lines.length };
}

/** The most characters of a line that are shown. */
const MAX_LINE = 400;

/** The lines of a file if it is still at its real path and readable; otherwise undefined. */
function linesOfFile(path: string): readonly string[] | undefined {
  return attempt(() =>
    withPermitted({ path, permitted: path }, (descriptor, stats) =>
      stats.isFile() && stats.size <= MAX_FILE_BYTES ? readFileSync(descriptor, "utf8").split("\n") : undefined,
    ),
  );
}

/** Matching lines with their context: `12: text` for a match, `13- text` for context, `--` where lines are left out. */
function shownLines(lines: readonly string[], numbers: readonly number[], context: number): readonly string[] {
  const matching = new Set(numbers);
  const last = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  const shown: string[] = [];
  let next = 1;
  for (const number of numbers) {
    const first = Math.max(next, number - context);
    if (context > 0 && next > 1 && first > next) shown.push("--");
    for (next = first; next <= Math.min(number + context, last); next += 1) {
      shown.push(`${next}${matching.has(next) ? ":" : "-"} ${cut(lines[next - 1] ?? "")}`);
    }
  }
  return shown;
}

function cut(line: string): string {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (text.length <= MAX_LINE) return text;
  const head = headOf(text, MAX_LINE);
  return `${head}… [${text.length - head.length} more characters]`;
}
