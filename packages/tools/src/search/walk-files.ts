import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterTimers, attempt, pauses } from "@mdx-ai/base";
import { descriptorPath } from "@mdx-ai/base/disk";
import { FileToolError, HAS_DESCRIPTOR_PATHS } from "@mdx-ai/permissions";
import { placeholdersNow } from "@mdx-ai/sandbox";
import { withPermitted } from "../read-window.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { MAX_SECONDS } from "./search-root.ts";

/** A file or folder below the folder of a walk. */
export interface FoundEntry {
  /** Relative to that folder, separated by "/". */
  readonly path: string;
  readonly isFolder: boolean;
  /** Whether it is a symbolic link. */
  readonly isLink: boolean;
}

export interface WalkRequest {
  /** Absolute and real. */
  readonly root: string;
  /** The depth of folders that are listed; 1 lists the root alone. */
  readonly depth?: number;
  readonly signal: AbortSignal;
}

/** A walk ends after this many entries. */
const MAX_ENTRIES = 1_000_000;

/** The entries of a folder and those below it. */
export interface Walk {
  readonly entries: readonly FoundEntry[];
  /** Whether there are more entries than a walk visits. */
  readonly isCut: boolean;
}

/** How long a walk may block this thread, in milliseconds: each entry is compared with each rule. */
const SLICE = 20;

/**
 * Lists the entries below a folder, except `.git` and entries that `.gitignore`, `.git/info/exclude`, `.ignore` and `.rgignore`
 * exclude, there and above, and except what exists only while a command is sandboxed. Lists links without following them, even if one replaces a folder meanwhile; skips unreadable
 * folders. Rejects with `FileToolError` if it takes too long.
 */
export async function walkFiles({ root, depth = Number.POSITIVE_INFINITY, signal }: WalkRequest): Promise<Walk> {
  const entries: FoundEntry[] = [];
  const queue: WalkedFolder[] = [{ path: "", rules: IgnoreRules.at(root), level: 1 }];
  const pause = pauses(SLICE, limitOf(signal));
  const isPlaceholder = placeholdersNow();
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    await afterTimers();
    signal.throwIfAborted();
    if (entries.length > MAX_ENTRIES) return { entries: sorted(entries), isCut: true };
    const { found, rules } = await visited(root, next, pause);
    for (const entry of found) {
      if (entry.isFolder && isPlaceholder(join(root, entry.path))) continue;
      entries.push(entry);
      if (entry.isFolder && next.level < depth) queue.push({ path: entry.path, rules, level: next.level + 1 });
    }
  }
  return { entries: sorted(entries), isCut: false };
}

/** Returns a function that throws if a walk was aborted or takes too long. */
function limitOf(signal: AbortSignal): () => void {
  const end = performance.now() + MAX_SECONDS * 1_000;
  return () => {
    signal.throwIfAborted();
    if (performance.now() <= end) return;
    throw new FileToolError(`listing the files took longer than ${MAX_SECONDS} seconds: search in a folder of it`);
  };
}

interface WalkedFolder {
  /** Relative to the root; "" for the root itself. */
  readonly path: string;
  /** The rules of its parents, including the root. */
  readonly rules: IgnoreRules;
  readonly level: number;
}

/** The entries of a folder that are not excluded, and the rules below it. */
async function visited(
  root: string,
  { path, rules: above }: WalkedFolder,
  pause: () => Promise<void> | undefined,
): Promise<{ readonly found: readonly FoundEntry[]; readonly rules: IgnoreRules }> {
  const folder = join(root, path);
  const names = listed(folder);
  const base = folder === "/" ? "" : `${folder.slice(1)}/`;
  const rules = path === "" ? above : above.within(folder, base, new Set(names.map(({ name }) => name)));
  const found: FoundEntry[] = [];
  for (const entry of names) {
    const pausing = pause();
    if (pausing !== undefined) await pausing;
    const isFolder = entry.isDirectory();
    if (!isListed(entry) || rules.ignores(`${base}${entry.name}${isFolder ? "/" : ""}`)) continue;
    found.push({
      path: path === "" ? entry.name : `${path}/${entry.name}`,
      isFolder,
      isLink: entry.isSymbolicLink(),
    });
  }
  return { found, rules };
}

const isListed = (entry: Dirent): boolean =>
  entry.name !== ".git" && (entry.isDirectory() || entry.isSymbolicLink() || entry.isFile());

/** The entries of a folder if it is still at its real path and readable; otherwise none. */
const listed = (folder: string): readonly Dirent[] =>
  attempt(() =>
    withPermitted({ path: folder, permitted: folder }, (descriptor) =>
      readdirSync(HAS_DESCRIPTOR_PATHS ? descriptorPath(descriptor) : folder, { withFileTypes: true }),
    ),
  ) ?? [];

/** By code units, independent of a language. */
export const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const sorted = (entries: readonly FoundEntry[]): readonly FoundEntry[] =>
  entries.toSorted((one, other) => byText(one.path, other.path));

/** The longest glob, in characters. */
const MAX_LENGTH = 300;

/**
 * Matches paths relative to a folder with a glob: `*`, `**`, `?`, `[a-z]`, `{a,b}`. A glob without a "/" matches names in any
 * folder; a leading "!" negates; it may start with the absolute path of the folder. Throws `FileToolError` for an invalid glob.
 */
export function pathFilter(glob: string, folder: string): (path: string) => boolean {
  if (glob.startsWith("!")) {
    const matches = pathFilter(glob.slice(1), folder);
    return (path) => !matches(path);
  }
  const inFolder = glob.startsWith(`${folder}/`) ? glob.slice(folder.length) : glob;
  const plain = inFolder.replace(/^(?:\.?\/)+/, "").replace(/\/$/, "/**");
  if (plain === "" || plain.length > MAX_LENGTH) {
    throw new FileToolError(`a glob has 1 to ${MAX_LENGTH} characters and is relative to the path that is searched`);
  }
  const whole = inFolder.replace(/\/$/, "").includes("/") || plain.includes("**") ? plain : `**/${plain}`;
  const matcher = attempt(() => new Bun.Glob(whole));
  if (matcher === undefined) throw new FileToolError(`cannot read the glob ${JSON.stringify(glob)}`);
  return (path) => matcher.match(path);
}
