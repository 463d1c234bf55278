import { dataLayout, sourceLayout } from "@mdx-ai/base";

/** Files that list the packages to install. */
export const LOCK_FILES: readonly string[] =
  "bun.lock bun.lockb package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml".split(" ");

/**
 * Files and folders at the top level of an agent directory, existing or absent, that define the agent, how its code runs, or what
 * other programs run when they open the directory (an editor, an installer, a shell with direnv). A folder includes all its
 * files.
 */
const DEFINING: readonly string[] = [
  ...Object.values(sourceLayout("")),
  ...["tools", "package.json", "tsconfig.json", "jsconfig.json", "bunfig.toml", ...LOCK_FILES],
  ...[".npmrc", ".envrc", ".vscode", ".idea"],
  // With a HEAD file, git would treat the agent directory as a repository, whose settings can name programs.
  "HEAD",
];

const DATA = dataLayout("");

/** Folders in which the runtime records what the agent did. */
const RECORDING: readonly string[] = [DATA.sessions, DATA.logs];

/** Folders at any depth whose content other programs run. */
const DEFINING_ANYWHERE: readonly string[] = ["node_modules", ".git"];

/** The runtime's files and folders in `state/`, which take effect once they exist. */
const STATE_FILES: readonly string[] = [
  ...[DATA.agentState, DATA.heartbeatRecord, DATA.memory, DATA.usage, DATA.agents, DATA.memoryFolder],
];

const withoutEnding = (path: string): string => path.split(".", 1).join();

/** Whether a name without extension is one of them: `memory.json` has a `memory.lock` beside it. */
const isStateName = (name: string): boolean => STATE_FILES.some((path) => withoutEnding(path) === name);

/**
 * Every path of an agent directory that defines or records the agent, existing or not: the fixed names and the files that trust
 * covers. Relative to the directory, separated by "/"; a folder includes everything in it.
 */
export function definingPaths(definingFiles: readonly string[]): readonly string[] {
  const paths = new Set([...DEFINING, ...DEFINING_ANYWHERE, ...RECORDING, ...STATE_FILES, ...definingFiles]);
  return [...paths].filter((path) => !foldersOf(path).some((folder) => paths.has(folder)));
}

/** The folders above a path, outermost first: "a" and "a/b" for "a/b/c". */
const foldersOf = (path: string): readonly string[] => {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
};

/**
 * Why the user must approve a write to a path, such as "defines the agent" or "records what the agent did"; undefined if no
 * approval is needed. `path` is relative to the agent directory, separated by "/", like the `definingFiles` that trust covers. A
 * folder in these includes everything in it.
 */
export function meaningOf(path: string, definingFiles: ReadonlySet<string>): string | undefined {
  // The file system may ignore case.
  const parts = path.toLowerCase().split("/");
  const [first = ""] = parts;
  if (first === "") return "is the agent directory itself";
  const name = parts.join("/");
  const isDefining = [name, ...foldersOf(name)].some((path) => definingFiles.has(path));
  if (DEFINING.some((name) => name.toLowerCase() === first) || isDefining) return "defines the agent";
  if (isFoundInstead(name, definingFiles)) return "could be imported instead of a file that defines the agent";
  if (parts.some((part) => DEFINING_ANYWHERE.includes(part))) return "defines what runs in the agent directory";
  const isState = isStateName(withoutEnding(parts.slice(0, 2).join("/")));
  return isState || RECORDING.includes(first) ? "records what the agent did" : undefined;
}

/** The endings of code files that an import may leave out. */
const ENDINGS: readonly string[] = ["js", "jsx", "ts", "tsx", "mjs", "mts", "cjs", "cts"];
const ENDING = /(?:\/index)?\.[cm]?[jt]sx?$/;

/** Files that decide how code in their folder and below is loaded. */
const CONFIGURING = /(?:^|\/)(?:package|tsconfig|jsconfig)\.json$/;

/**
 * Whether an import would find this file instead of another, such as `x/index.ts` for `x.js`, or whether it changes how others
 * are loaded.
 */
function isFoundInstead(name: string, definingFiles: ReadonlySet<string>): boolean {
  if (CONFIGURING.test(name)) {
    const folder = name.slice(0, name.lastIndexOf("/") + 1);
    return [...definingFiles].some((file) => file.startsWith(folder));
  }
  const stem = name.replace(ENDING, "");
  const isDefining = (file: string): boolean => ENDINGS.some((ending) => definingFiles.has(`${file}.${ending}`));
  return stem !== name && (isDefining(stem) || isDefining(`${stem}/index`));
}
