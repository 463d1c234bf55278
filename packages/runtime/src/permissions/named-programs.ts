import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { attempt, foldersFrom, isWithin } from "@mdx-ai/base";
import { pathWithin, textUpTo } from "@mdx-ai/base/disk";
import { meaningInWorkspace, REASONS } from "./workspace-files.ts";

/** Bytes of the longest file of settings that is read, and files of settings that are read, included ones among them. */
const MOST_BYTES = 1024 * 1024;
const MOST_FILES = 50;
/** Words of a settings file that are looked for as files. Whoever may write a longer one can run programs with it anyway. */
const MOST_WORDS = 5_000;

/** The text of a file of settings; empty if it cannot be read. Never waits for the other end of a pipe. */
export const settingsText = (path: string): string => textUpTo(path, MOST_BYTES) ?? "";

/** The settings of git whose values name files that git reads as settings, or programs that it runs. */
const NAMING =
  /^(?:path|fsmonitor|sshcommand|gitproxy|editor|pager|difffilter|askpass|external|textconv|clean|smudge|process|driver|cmd|command|alternaterefscommand|defaultkeycommand|helper|program|sequence|browser|uploadpack|receivepack|update|tocmd|cccmd|headercmd|sendmailcmd|tunnel)$/i;

/**
 * The files of a repository that files of git's settings name as settings or programs, and its folders of hooks, which may be made later,
 * as may what is included. Included files count, too. All paths are absolute; `root` is the folder of the repository's files.
 */
export function namedByGit(settings: readonly string[], root: string): readonly string[] {
  const queue = [...settings];
  const named = new Set<string>();
  for (let index = 0; index < Math.min(queue.length, MOST_FILES); index += 1) {
    const file = queue[index] ?? "";
    const text = settingsText(file);
    const at = (path: string): readonly string[] => [resolve(root, path), resolve(dirname(file), path)];
    const included = valuesOf(text, /^path$/i)
      .slice(0, MOST_FILES)
      .flatMap(at);
    queue.push(...included.filter((path) => isFile(path) && !queue.includes(path)));
    const hooks = valuesOf(text, /^hookspath$/i).map((path) => resolve(root, path));
    const naming = settingsIn(text).filter(({ section, key }) => section === "pager" || NAMING.test(key));
    const programs = naming
      .flatMap(({ value }) => words(value))
      .slice(0, MOST_WORDS)
      .flatMap(at)
      .filter(isFile);
    for (const path of [...hooks, ...included, ...programs].slice(0, MOST_WORDS)) named.add(path);
  }
  return [...named].filter((path) => path !== root && isWithin(root, path));
}

/** The file of direnv, which a shell runs that enters its folder. In lower case. */
export const ENVRC = ".envrc";

/** The commands of an `.envrc` that run or load the file behind them, also once it is made. */
const LOADING = /^(?:\.|source\w*|dotenv\w*)$/;

/** What `use` loads, by the word behind it. */
const USED: ReadonlyMap<string, readonly string[]> = new Map([
  ["nix", ["shell.nix", "default.nix"]],
  ["flake", ["flake.nix", "flake.lock"]],
  ["devenv", ["devenv.nix", "devenv.yaml"]],
  ["devbox", ["devbox.json"]],
]);

/**
 * The files that an `.envrc` names, without the rest of what its folder holds: a shell that enters the folder runs them, and direnv asks
 * about the `.envrc` alone. Absolute.
 */
export function namedByEnvrc(file: string): readonly string[] {
  const found = settingsText(file)
    .split("\n")
    .map((line) => words(line.replace(/(?:^|\s)#.*$/, "")))
    .flatMap((line) => line.map((word, index) => ({ before: line[index - 1] ?? "", word })))
    .slice(0, MOST_WORDS)
    .flatMap(({ before, word }) => loaded(before, word, dirname(file)));
  return [...new Set(found)];
}

function loaded(before: string, word: string, folder: string): readonly string[] {
  const path = resolve(folder, word);
  const used = before === "use" ? (USED.get(word) ?? []) : [];
  return [...(LOADING.test(before) || isFile(path) ? [path] : []), ...used.map((name) => join(folder, name))];
}

/**
 * As `meaningInWorkspace`, of an absolute and real path; also of a file that only settings in the workspace or above it name, such as
 * a folder of hooks.
 */
export function meaningOfFile(workspace: string, path: string): string | undefined {
  const relative = pathWithin(workspace, path);
  return relative === undefined ? undefined : (meaningInWorkspace(relative) ?? meaningBySettings(path));
}

/** The reason if settings in a folder around a file name it as what runs on its own. */
function meaningBySettings(path: string): string | undefined {
  const folders = foldersFrom(dirname(path));
  const names = (named: readonly string[]): boolean =>
    named.some((one) => isWithin(one.toLowerCase(), path.toLowerCase()));
  if (folders.some((folder) => names(namedByGit(settingsOfGit(folder), folder)))) return REASONS.git;
  return folders.some((folder) => names(namedByEnvrc(join(folder, ENVRC)))) ? REASONS.shell : undefined;
}

/** The files of settings of the repository whose files are in a folder, or of its work tree; none if there is no repository. */
function settingsOfGit(folder: string): readonly string[] {
  const place = join(folder, ".git");
  const stats = attempt(() => lstatSync(place, { throwIfNoEntry: false }));
  if (stats === undefined) return [];
  const named = stats.isFile() ? folderNamedBy(settingsText(place)) : ".git";
  if (named === undefined) return [];
  const own = resolve(folder, named);
  const common = resolve(own, settingsText(join(own, "commondir")).trim());
  return [...new Set([own, common])].flatMap((one) => [join(one, "config"), join(one, "config.worktree")]);
}

/** The folder of git that a `.git` file leads to, as it is written there. */
export const folderNamedBy = (text: string): string | undefined => /^gitdir: (.+)$/m.exec(text)?.[1];

const isFile = (path: string): boolean => {
  const stats = attempt(() => lstatSync(path));
  return stats !== undefined && (stats.isFile() || stats.isSymbolicLink());
};

/** A text, and the words that a shell would find in it. */
const words = (text: string): readonly string[] =>
  [text, ...text.split(/[\s'"`;&|()<>{}!$=]+/)].filter((word) => word !== "" && !word.startsWith("-"));

/** The values of the settings with such a name in a file of git's settings, in all sections. */
export const valuesOf = (text: string, name: RegExp): readonly string[] =>
  settingsIn(text).flatMap(({ key, value }) => (name.test(key) ? value : []));

interface Setting {
  /** In lower case, without the name behind it. */
  readonly section: string;
  readonly key: string;
  readonly value: string;
}

/** A setting may follow its section in one line. */
const LINE = /^\s*(?:\[(?<header>(?:[^\]"]|"(?:[^"\\]|\\.)*")*)\]\s*)?(?:(?<key>[\w-]+)\s*=\s*(?<value>[\s\S]*))?/;

function settingsIn(text: string): readonly Setting[] {
  let section = "";
  return text
    .replaceAll(/\\\r?\n/g, "")
    .split("\n")
    .flatMap((line) => {
      const { header, key, value = "" } = LINE.exec(line)?.groups ?? {};
      if (header !== undefined) section = header.split(/[\s".]/, 1)[0]?.toLowerCase() ?? "";
      return key === undefined ? [] : [{ section, key, value: withoutQuotes(value) }];
    });
}

/** A value as git reads it: without its quotes and the comment behind it. */
function withoutQuotes(value: string): string {
  const [whole] = /^(?:[^"#;\\]|\\.|"(?:[^"\\]|\\.)*"?)*/.exec(value) ?? [""];
  return whole.trim().replaceAll(/\\(.)|"/g, (_, escaped: string | undefined) => escaped ?? "");
}
