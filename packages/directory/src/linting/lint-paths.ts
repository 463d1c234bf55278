import { statSync } from "node:fs";
import { resolve } from "node:path";
import { byFileAndPosition, type Diagnostic } from "@mdx-ai/parser";
import { checkDirectory, type DirectoryCheck } from "../checking/check-directory.ts";
import { DirectoryError } from "../directory-error.ts";
import { type FrontEnd, warn } from "../front-end.ts";
import { isFolder } from "../paths.ts";
import { type FoundFiles, findFiles, foreignFile, isAgentPath, isForeignFolder } from "./find-files.ts";
import type { FileKind } from "./linted-file.ts";

/** The result of linting paths. */
export interface PathsLint {
  /** By file and position; `file` is absolute. */
  readonly diagnostics: readonly Diagnostic[];
  /** The texts of the files with diagnostics, by their paths. */
  readonly texts: ReadonlyMap<string, string>;
  /** How many files of other programs were read. */
  readonly files: number;
  /** The agent directories that were checked. Absolute. */
  readonly agents: readonly string[];
  /** Where to install TypeScript; absent unless code of an agent was not checked without it. */
  readonly lacksTypeScript?: { readonly folder: string };
}

export interface LintOptions {
  readonly signal: AbortSignal;
  /** Whether the diagnostics include notes. */
  readonly isStrict: boolean;
  /** Patterns of paths that are left out, relative to the path in which they are found. */
  readonly ignored: readonly string[];
}

/**
 * Finds the mistakes in files of other programs and in agent directories, at and below some paths, without running any code. Undefined if the
 * only path is an agent directory, or has neither: then `checkDirectory` says what is wrong. Rejects as that does.
 */
export async function lintPaths(
  paths: readonly string[],
  frontEnd: FrontEnd,
  options: LintOptions,
): Promise<PathsLint | undefined> {
  const absolute = paths.map((path) => resolve(frontEnd.currentDirectory, path));
  const [only] = absolute;
  if (only === undefined || (absolute.length === 1 && isAgentPath(only))) return undefined;
  const found = absolute.map((path) => filesAt(path, options.ignored));
  const files = [...new Map(found.flatMap((one) => one.files).map((file) => [file.path, file])).values()];
  const agents = [...new Set(found.flatMap((one) => one.agents))];
  if (absolute.length === 1 && files.length + agents.length === 0 && !isForeignFolder(only)) return undefined;
  const unread = found.reduce((sum, one) => sum + one.unread, 0);
  if (unread > 0) warn(frontEnd)(`${unread} folders were not looked into: there are too many, or they cannot be read`);
  const { lintFiles } = await import("./lint-files.ts");
  const ofFiles = lintFiles(files);
  const checks: DirectoryCheck[] = [];
  for (const agent of agents) {
    const isExplained = ofFiles.diagnostics.some(({ file, severity }) => file === agent && severity !== "note");
    const check = await checkDirectory(agent, frontEnd, options).catch((error: unknown) => {
      if (!isExplained || !(error instanceof DirectoryError)) throw error;
    });
    if (check !== undefined) checks.push(check);
  }
  const ofAgents = checks.flatMap(({ directory }) =>
    directory.diagnostics.map((one) => ({ ...one, file: resolve(directory.path, one.file) })),
  );
  const texts = checks.flatMap(({ directory, texts: own }) =>
    [...own].map(([file, text]) => [resolve(directory.path, file), text] as const),
  );
  const shown = [...ofFiles.diagnostics, ...ofAgents].filter(({ severity }) => options.isStrict || severity !== "note");
  const lacks = checks.find(({ lacksTypeScript }) => lacksTypeScript !== undefined)?.lacksTypeScript;
  return {
    diagnostics: shown.toSorted(byFileAndPosition),
    texts: new Map([...ofFiles.texts, ...texts]),
    files: files.length,
    agents: agents.filter((agent) => files.every(({ path }) => path !== agent)),
    ...(lacks !== undefined && { lacksTypeScript: lacks }),
  };
}

function filesAt(path: string, ignored: readonly string[]): FoundFiles {
  const globs = ignored.map((pattern) => new Bun.Glob(pattern.replace(/\/$/, "")));
  if (isFolder(path)) return findFiles(path, (relative) => globs.some((glob) => glob.match(relative)));
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    throw new DirectoryError("invalid", `${path} does not exist; name files or folders`);
  }
  const files = foreignFile(path);
  const isAgent = files.every(({ kind }) => RUNNABLE.includes(kind));
  return { files, agents: isAgent ? [path] : [], unread: 0 };
}

/** Files that run as an agent as they are; a file of no other program is taken for one, too. */
const RUNNABLE: readonly FileKind[] = ["subagent", "opencode-agent", "instructions"];
