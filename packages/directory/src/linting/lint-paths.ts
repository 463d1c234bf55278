import { readFileSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { attempt } from "@mdx-ai/base";
import { byFileAndPosition, type Diagnostic, rules } from "@mdx-ai/parser";
import { checkDirectory, type DirectoryCheck } from "../checking/check-directory.ts";
import { DirectoryError } from "../directory-error.ts";
import { type FrontEnd, warn } from "../front-end.ts";
import { isFolder } from "../paths.ts";
import { type FoundFiles, findFiles, foreignFile, isAgentPath, isForeignFolder } from "./find-files.ts";
import { lintFile } from "./lint-file.ts";
import { type FileKind, type ForeignFile, lintDiagnostic, START } from "./linted-file.ts";

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

function lintFiles(files: readonly ForeignFile[]): Pick<PathsLint, "diagnostics" | "texts"> {
  const texts = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const names = new Map<string, string>();
  for (const file of files) {
    const text = readText(file.path);
    if (typeof text !== "string") {
      diagnostics.push(text);
      continue;
    }
    texts.set(file.path, text);
    const { diagnostics: own, name } = lintFile(file, text);
    diagnostics.push(...own, ...secondName(file, name, names));
  }
  return { diagnostics, texts };
}

/** Of two subagents of a project with one name, one is not used. */
function secondName(file: ForeignFile, name: string | undefined, names: Map<string, string>): readonly Diagnostic[] {
  if (name === undefined) return [];
  const key = `${file.root}\0${name}`;
  const first = names.get(key);
  if (first === undefined) names.set(key, file.path);
  if (first === undefined) return [];
  const message = `second subagent named \`${name}\``;
  return [
    lintDiagnostic("subagent-name-duplicate", file.path, {
      message,
      hint: `rename it: ${relative(file.root, first)} has the same name`,
    }),
  ];
}

/** Bytes of any file that is read. */
const MAX_SIZE = 1024 * 1024;

/** The text of a file, or why it cannot be read. */
function readText(path: string): string | Diagnostic {
  const problem = (
    rule: "file-too-large" | "file-unreadable" | "file-encoding",
    message: string,
    hint: string,
  ): Diagnostic => ({
    ...{ file: path, ...START, severity: rules[rule], rule, message, hint },
  });
  const bytes = attempt(() => (statSync(path).size > MAX_SIZE ? undefined : readFileSync(path)));
  if (bytes === undefined) {
    const isLarge = (attempt(() => statSync(path).size) ?? 0) > MAX_SIZE;
    return isLarge
      ? problem("file-too-large", `the file is larger than ${MAX_SIZE} bytes`, "move parts of it to other files")
      : problem("file-unreadable", "cannot read the file", "check its permissions");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return problem("file-encoding", "the file is not valid UTF-8", "save it as UTF-8");
  }
}
