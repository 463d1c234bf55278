import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { DATA_FOLDERS } from "@mdx-ai/base";
import type { WrittenServer } from "@mdx-ai/runtime/declared-servers";
import { isExecutable } from "../imports/import-graph.ts";
import { isFile, isFolder } from "../paths.ts";
import { isInside } from "./manifest.ts";

/** The files of a directory that an MCP server runs, according to its declaration. All paths are absolute. */
export interface ServerCode {
  /** Programs, and files that decide what runs. Missing ones count once they exist. */
  readonly files: readonly string[];
  /** Folders in which every program counts, since an interpreter can load the neighbours of its script. Never the directory itself. */
  readonly folders: readonly string[];
}

interface ServerPlace {
  /** The agent directory. Absolute. */
  readonly directory: string;
  /** The server's working directory. Absolute. */
  readonly folder: string;
  readonly isProgram: (path: string) => boolean;
}

/** Programs that run a file of any name. */
const INTERPRETER =
  /^(?:python|pypy|node|bun|deno|tsx|ts-node|ruby|perl|php|lua|java|sh|bash|dash|zsh|ksh|fish|pwsh)[\d.]*(?:\.exe)?$/i;

/** Files in the server's working directory that decide what its command runs. */
const CONFIGURING: readonly string[] = [
  ...["pyproject.toml", "uv.toml", ".python-version", "setup.py", "deno.json", "deno.jsonc", "bunfig.toml", ".npmrc"],
  ...["package.json", "Makefile", "makefile", "GNUmakefile", "justfile", ".env"],
];

/** The files that an interpreter runs in a given folder. */
const ENTRIES: readonly string[] = ["__main__.py", "index.js", "index.ts", "index.mjs", "index.cjs", ...CONFIGURING];

/** A command that a directory declares. */
export type RunCommand = Pick<WrittenServer, "baseDir"> & {
  readonly definition: Pick<WrittenServer["definition"], "command" | "args" | "env" | "cwd">;
};

/** The code of a directory that a server's command is or runs. `isProgram` decides by the content of a file. */
export function codeOfServer(
  { definition, baseDir }: RunCommand,
  directory: string,
  isProgram: (path: string) => boolean,
): ServerCode {
  const { command, args = [], env = {}, cwd = "." } = definition;
  if (command === undefined) return { files: [], folders: [] };
  const server = { directory, folder: resolve(baseDir, withDefaults(cwd)), isProgram };
  const isInterpreter = [command, ...args].some(isInterpreterName);
  const at = (texts: readonly string[]): readonly string[] => texts.map((text) => resolve(server.folder, text));
  const loaded = at(Object.entries(env).flatMap(([name, text]) => (LOADING.test(name) ? wordsIn(text) : [])));
  const scripts = args.filter((text) => /\s/.test(text)).map((text) => filesOfScript(text, server));
  const plain = at([...args.filter((text) => !/\s/.test(text)).flatMap(wordsIn), ...(isInterpreter ? modulesIn(args) : [])]); // biome-ignore format: short
  const named = [...plain, ...scripts.flatMap((script) => script.named)];
  const inside = [...named, ...loaded].filter((path) => isOwn(path, server));
  const first = isInterpreter ? plain.find((path) => isOwn(path, server) && isFile(path)) : undefined;
  const given = new Set([...at([command]), ...(first === undefined ? [] : [first]), ...loaded, ...scripts.flatMap(({ run }) => run)]); // biome-ignore format: short
  const programs = [...at([command]), ...inside].flatMap((path) => foundAt(path, server, given.has(path)));
  const run = [...named.filter(hasEntry), server.folder];
  const folders = [...programs.map((path) => dirname(path)), ...loaded, ...run].filter((path) => isOwn(path, server));
  const entries = isInterpreter && named.includes(directory) ? entriesOf(directory) : [];
  return {
    files: [...new Set([...programs, ...entries, ...run.flatMap((folder) => configuring(folder, server))])],
    folders: [...new Set(folders)].filter(isFolder),
  };
}

/** Also behind another program, such as `env python3 run.txt`. */
const isInterpreterName = (word: string): boolean => INTERPRETER.test(basename(word));

/** Words of a shell that run what comes next. */
const isRunning = (word: string): boolean => isInterpreterName(word) || [".", "source", "eval"].includes(word);

interface ScriptFiles {
  /** What it names, also after a `cd`. Absolute, as all paths here. */
  readonly named: readonly string[];
  /** What is run whatever it is, as in `. notes.md`, or in `cat notes.md | sh`. */
  readonly run: readonly string[];
}

/** The files of a command for a shell. What it writes by `>` is none. */
function filesOfScript(script: string, server: ServerPlace): ScriptFiles {
  const text = script.replace(/>[>|&]?\s*[^\s;&|]+/g, " ");
  const inner = wordsIn(text).map((word) => resolve(server.folder, word));
  const folders = [server.folder, ...inner.filter((path) => isOwn(path, server) && isFolder(path))];
  const pathsOf = (words: readonly string[]): readonly string[] =>
    words.flatMap((word) => folders.map((folder) => resolve(folder, word)));
  const filesIn = (words: readonly string[]): readonly string[] =>
    pathsOf(words).filter((path) => isOwn(path, server) && isFile(path));
  const run = text.split(/[;&\n]+|\|\|/).flatMap((pipeline) => {
    const steps = pipeline.split("|").map(wordsIn);
    return steps.flatMap((words, index) => {
      const runner = words.findIndex(isRunning);
      if (runner === -1) return [];
      const after = filesIn(words.slice(runner + 1));
      return after.length > 0 ? after.slice(0, 1) : filesIn(steps.slice(0, index).flat());
    });
  });
  return { named: pathsOf(wordsIn(text)), run };
}

/** Variables that name code for an interpreter to load. */
const LOADING = /(?:OPTIONS|OPT|PRELOAD|STARTUP|PATH|^BASH_ENV|^ENV)$/;

/** The default for a missing variable may name a file. */
const withDefaults = (text: string): string => text.replace(/\$\{\w+:-([^}]*)\}/g, "$1");

/** An argument may be `--script=server.ts`, or a whole command, as after `sh -c`. */
const wordsIn = (text: string): readonly string[] => {
  const whole = withDefaults(text);
  const parts = whole.split(/[\s"'`;&|()<>=:,]+/).filter((part) => part !== "");
  return [...new Set([whole, whole.slice(whole.indexOf("=") + 1), ...parts])];
};

/** The first parts of the module names after `-m`. */
const modulesIn = (args: readonly string[]): readonly string[] =>
  args.flatMap((text, index) => {
    const name = args[index - 1] === "-m" ? text : /^-m(.+)$/.exec(text)?.[1];
    const [first = ""] = (name ?? "").split(".");
    return first === "" ? [] : [first, `${first}.py`];
  });

/** The program at a path, with or without the extension that the interpreter adds. */
function foundAt(path: string, server: ServerPlace, isGiven: boolean): readonly string[] {
  if (!isOwn(path, server)) return [];
  const endings = ["", ".js", ".ts", ".mjs", ".cjs", ".py"].map((ending) => `${path}${ending}`);
  return endings.filter((file) => isFile(file) && (isGiven || isExecutable(file) || server.isProgram(file)));
}

const configuring = (folder: string, { directory }: ServerPlace): readonly string[] =>
  folder === directory || isWithinOwn(folder, directory) ? CONFIGURING.map((name) => join(folder, name)) : [];

const entriesOf = (folder: string): readonly string[] => ENTRIES.map((name) => join(folder, name)).filter(isFile);

const hasEntry = (path: string): boolean => isFolder(path) && entriesOf(path).length > 0;

const isWithinOwn = (path: string, directory: string): boolean =>
  path !== directory && isInside(relative(directory, path).split(sep).join("/"));

/** Whether a path leads into the directory, but not to the agent's data, unless it has the name of a program. */
const isOwn = (path: string, { directory }: ServerPlace): boolean =>
  isWithinOwn(path, directory) &&
  (isExecutable(path) || !DATA_FOLDERS.includes(relative(directory, path).split(sep)[0] ?? ""));
