import { type Dirent, existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { walkFolder } from "@mdx-ai/base/disk";
import { isFile, isFolder } from "../paths.ts";
import type { FileKind, ForeignFile } from "./linted-file.ts";

/** What a linter finds below some paths. */
export interface FoundFiles {
  readonly files: readonly ForeignFile[];
  /** Agent directories, absolute. */
  readonly agents: readonly string[];
  /** How many folders were not looked into, since there are too many, or they cannot be listed. */
  readonly unread: number;
}

/** Folders with a dot that are looked into, and what else holds nobody's own files. */
const DOTTED: readonly string[] = [".claude", ".claude-plugin", ".opencode", ".agents", ".codex", ".github", ".cursor"];
const SKIPPED: readonly string[] = ["node_modules", "vendor", "__pycache__", "venv", "site-packages"];

/**
 * Finds the files of other programs and the agent directories in a folder, sorted; links are not followed. `isLeftOut` gets paths relative to
 * the folder. Never throws.
 */
export function findFiles(folder: string, isLeftOut: (path: string) => boolean): FoundFiles {
  const files: ForeignFile[] = [];
  const agents: string[] = [];
  const unlisted = walkFolder(folder, (path, entry) => {
    if (isLeftOut(relative(folder, path)) || isSkipped(entry)) return false;
    if (entry.isFile() && entry.name === "agent.mdx") agents.push(dirname(path));
    if (entry.isFile()) files.push(...foreignFile(path));
    return entry.isDirectory();
  });
  const within = files.filter(({ path }) => !agents.some((agent) => path.startsWith(join(agent, "skills/"))));
  return {
    files: within.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    agents: agents.toSorted(),
    unread: unlisted.length,
  };
}

function isSkipped(entry: Dirent): boolean {
  if (!entry.isDirectory()) return false;
  return SKIPPED.includes(entry.name) || (entry.name.startsWith(".") && !DOTTED.includes(entry.name));
}

/** The file of another program at a path, if it is one. */
export function foreignFile(path: string): readonly ForeignFile[] {
  const kind = kindOf(path);
  return kind === undefined ? [] : [{ path, kind, root: rootOf(path) }];
}

/** Files that are what they are wherever they are. */
const BY_NAME: readonly (readonly [name: RegExp, kind: FileKind])[] = [
  [/^skill\.md$/i, "skill"],
  [/^(?:AGENTS|CLAUDE|CLAUDE\.local)\.md$/, "instructions"],
  [/^\.mcp\.json$/, "mcp-config"],
  [/^opencode\.jsonc?$/, "opencode-config"],
];

/** Files in folders of a program, by what follows the name of the folder. */
const BY_FOLDER: readonly (readonly [path: RegExp, kind: FileKind])[] = [
  [/\/\.claude\/agents\/.*\.md$/, "subagent"],
  [/\/\.claude\/commands\/.*\.md$/, "command"],
  [/\/\.claude\/settings(?:\.local)?\.json$/, "claude-settings"],
  [/\/\.claude-plugin\/plugin\.json$/, "plugin"],
  [/\/\.claude-plugin\/marketplace\.json$/, "marketplace"],
  [/\/\.opencode\/agents?\/.*\.md$/, "opencode-agent"],
  [/\/\.opencode\/commands?\/.*\.md$/, "opencode-command"],
  [/\/\.agents\/commands\/.*\.md$/, "command"],
];

/** Files of a plugin, relative to it. */
const OF_PLUGIN: readonly (readonly [path: RegExp, kind: FileKind])[] = [
  [/^agents\/.*\.md$/, "subagent"],
  [/^commands\/.*\.md$/, "command"],
  [/^hooks\/hooks\.json$/, "hooks"],
];

/** What a file is; undefined if it is of no other program. */
function kindOf(path: string): FileKind | undefined {
  const name = basename(path);
  const named = BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  if (named !== undefined) return named;
  const ofFolder = BY_FOLDER.find(([pattern]) => pattern.test(path))?.[1];
  if (ofFolder !== undefined) return ofFolder;
  if (!/\/(?:agents|commands|hooks)\//.test(path)) return undefined;
  const plugin = pluginAround(path);
  return plugin === undefined ? undefined : OF_PLUGIN.find(([pattern]) => pattern.test(relative(plugin, path)))?.[1];
}

/** The folder around a file that has a plugin manifest; undefined if there is none. */
function pluginAround(path: string): string | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (isFile(join(folder, ".claude-plugin", "plugin.json"))) return folder;
    if (existsSync(join(folder, ".git"))) return undefined;
  }
  return undefined;
}

/** The folder from which the paths in a file start. */
function rootOf(path: string): string {
  const match = /^(.*)\/\.(?:claude|claude-plugin|opencode|agents)\//.exec(path);
  return match?.[1] ?? pluginAround(path) ?? dirname(path);
}

/** Whether a path names an agent of this program, or nothing that exists. */
export const isAgentPath = (path: string): boolean =>
  isFolder(path) ? isFile(join(path, "agent.mdx")) : foreignFile(path).length === 0;

/** Whether a path is a folder of another program, such as `.claude`, whose files are all unknown or none. */
export const isForeignFolder = (path: string): boolean => isFolder(path) && DOTTED.includes(basename(path));
