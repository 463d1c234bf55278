import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "@mdx-ai/base";
import { isRunning, processBirth, readWholeFile } from "@mdx-ai/base/disk";
import { type Mounts, mountOf } from "./mounts.ts";
import { keepFolder, sharedFolder } from "./run-folder.ts";

/** The ending of the lists of placeholders in the folder that all sandboxes of the user share. */
const LISTS = ".placeholders";

/** That of a list whose placeholders the reaper of a killed process removes: until then nobody takes one for a folder of the user's. */
const GONE = `${LISTS}.gone`;

/**
 * Removes the placeholders of a killed process that no other process uses. Its argument is the list of that process: paths with a
 * null character behind each, inner ones first.
 */
export const REMOVE_PLACEHOLDERS: string = `
[ -e "$1" ] || exit 0
# What a sandbox contains dies a moment after it.
sleep 0.05
mv "$1" "$1.gone" && cd "\${1%/*}" || exit
xargs -0 -r -n 1 /bin/sh -c 'cat /dev/null ./*${LISTS} 2>/dev/null | grep -qzxF -e "$1" || rmdir -- "$1"' mdx-ai < "$1.gone" 2>/dev/null
rm -f "$1.gone"
`;

/** The paths that a command finds taken, since they do not exist and must not be created. Absolute. */
export interface Reserved {
  /** An empty folder of the sandbox is mounted over each. */
  readonly covered: readonly string[];
  /** The folders around them, outer ones first: mounted as they are, so that they cannot be moved away. */
  readonly pinned: readonly string[];
}

export const NOTHING_RESERVED: Reserved = { covered: [], pinned: [] };

/** The bytes of a folder that covers a placeholder. */
const COVER_BYTES = 4_096;

/** The arguments of bubblewrap for reserved paths. */
export const reservingArguments = ({ covered, pinned }: Reserved): string[] => [
  ...pinned.flatMap((path) => ["--bind", path, path]),
  // Cheaper than a read-only bind, for which bubblewrap reads all mounts.
  ...covered.flatMap((path) => ["--perms", "0555", "--size", String(COVER_BYTES), "--tmpfs", path]),
];

/**
 * Empty folders at protected paths that do not exist: only what exists can be mounted over. An empty folder is in nobody's way for
 * long: git does not list it, programs that look for a file there find none, and removing it can never remove a file. Each process
 * lists its own in the folder that all sandboxes share, so that none removes those of another, nor leaves them behind when it is killed.
 */
export class Placeholders {
  readonly #folder: string;
  /** The list of this process. Absolute. */
  readonly list: string;
  readonly #own = new Set<string>();
  #written = "";

  /** `folder` is that of `runFolder`. */
  constructor(folder: string) {
    this.#folder = folder;
    this.list = join(folder, `${process.pid}-${crypto.randomUUID()}${LISTS}`);
  }

  /** Whether a path is a placeholder, of this process or another one. */
  look(): (path: string) => boolean {
    const listed = this.#listed();
    return (path) => listed.has(path) && isEmptyFolder(path);
  }

  #listed(): ReadonlySet<string> {
    return new Set([...this.#own, ...pathsOfOthers(this.#folder, this.list)]);
  }

  /**
   * Those of the paths, absolute and real, that do not exist although commands with these mounts could create them. Makes nothing.
   */
  free(paths: readonly string[], mounts: Mounts): readonly string[] {
    const isPlaceholder = this.look();
    const free = paths.filter((path) => {
      if (mounts.has(path) || mountOf(mounts, path)?.kind !== "writable") return false;
      return attempt(() => lstatSync(path, { throwIfNoEntry: false })) === undefined || isPlaceholder(path);
    });
    const set = new Set(free);
    // The outermost one covers those in it.
    return free.filter((path) => !foldersAround(path, (folder) => mounts.has(folder)).some((one) => set.has(one)));
  }

  /** Makes placeholders at free paths. Throws the file system's error if they cannot be listed. */
  reserve(free: readonly string[], mounts: Mounts): Reserved {
    if (free.length === 0) return NOTHING_RESERVED;
    const pinned = [...new Set(free.flatMap((path) => foldersAround(path, (folder) => mounts.has(folder))))];
    const outerFirst = pinned.toSorted((one, other) => one.length - other.length);
    // One around another is not empty; the last process that lists it removes it.
    const listed = this.#listed();
    const around = free.flatMap((path) => foldersAround(path, () => false)).filter((folder) => listed.has(folder));
    for (const folder of around) this.#own.add(folder);
    for (const path of [...outerFirst, ...free]) {
      if (listed.has(path) || lstatSync(path, { throwIfNoEntry: false }) === undefined) this.#own.add(path);
    }
    // Others see the list before they see what is in it.
    this.#write();
    for (const path of [...outerFirst, ...free]) attempt(() => mkdirSync(path));
    // Where this user can make none, a command cannot either.
    return { covered: free.filter(isFolder), pinned: outerFirst.filter(isFolder) };
  }

  /** Whether reserved paths are still there: another program may have replaced one. */
  areThere({ covered }: Reserved): boolean {
    return covered.every(isFolder);
  }

  /** Removes the placeholders that no other process uses, and those of killed processes. Never throws. */
  remove(): void {
    const own = [...this.#own];
    this.#own.clear();
    this.#written = "";
    // Nobody takes one for a folder of the user's until it is gone, and of two processes that end at once one removes it.
    const gone = `${this.list}.gone`;
    attempt(() => renameSync(this.list, gone));
    removeUnused(this.#folder, own);
    attempt(() => rmSync(gone, { force: true }));
  }

  #write(): void {
    const innerFirst = [...this.#own].toSorted((one, other) => other.length - one.length);
    const text = [processBirth(process.pid) ?? "", ...innerFirst].map((word) => `${word}\0`).join("");
    if (text === this.#written) return;
    keepFolder(this.#folder);
    writeFileSync(this.list, text, { mode: 0o600 });
    this.#written = text;
  }
}

/** Removes the placeholders of killed processes, unless one that runs uses them. `folder` is that of `runFolder`. Never throws. */
export const removeStalePlaceholders = (folder: string): void => removeUnused(folder, []);

/** Whether a path is a placeholder of some process: it does not exist, for people. */
export function isPlaceholder(path: string): boolean {
  if (!isEmptyFolder(path)) return false;
  const folder = sharedFolder();
  return folder !== undefined && listsIn(folder).some(({ paths }) => paths.includes(path));
}

/**
 * Makes room for a file of the user's at a path that is a placeholder; a command that runs could write it until it ends. Returns whether it
 * was one. Never throws.
 */
export const freePlaceholder = (path: string): boolean =>
  isPlaceholder(path) && attempt(() => rmdirSync(path) ?? true) === true;

function removeUnused(folder: string, paths: readonly string[]): void {
  const lists = listsIn(folder);
  const used = new Set(lists.flatMap((list) => (list.isLive ? list.paths : [])));
  const dead = lists.filter(({ isLive }) => !isLive);
  for (const path of [...paths, ...dead.flatMap((list) => list.paths)].toSorted((a, b) => b.length - a.length)) {
    // It stays if it is not empty.
    if (!used.has(path)) attempt(() => rmdirSync(path));
  }
  for (const { file } of dead) attempt(() => rmSync(file, { force: true }));
}

interface PlaceholderList {
  /** Absolute. */
  readonly file: string;
  readonly isLive: boolean;
  readonly paths: readonly string[];
}

function listsIn(folder: string): readonly PlaceholderList[] {
  const names = attempt(() => readdirSync(folder)) ?? [];
  return names
    .filter((name) => name.endsWith(LISTS) || name.endsWith(GONE))
    .flatMap((name) => readList(join(folder, name), name) ?? []);
}

function readList(file: string, name: string): PlaceholderList | undefined {
  const text = attempt(() => readWholeFile(file).toString("utf8"));
  if (text === undefined) return undefined;
  const [birth, ...paths] = text.split("\0").slice(0, -1);
  return { file, isLive: name.endsWith(LISTS) && isRunning(Number.parseInt(name, 10), birth || undefined), paths };
}

const pathsOfOthers = (folder: string, own: string): readonly string[] =>
  listsIn(folder).flatMap(({ file, paths }) => (file === own ? [] : paths));

/** The folders around a path, inner ones first, up to the first that `isMount`. */
function foldersAround(path: string, isMount: (folder: string) => boolean): readonly string[] {
  const folder = dirname(path);
  return folder === path || isMount(folder) ? [] : [folder, ...foldersAround(folder, isMount)];
}

const isFolder = (path: string): boolean =>
  attempt(() => lstatSync(path, { throwIfNoEntry: false }))?.isDirectory() ?? false;

const isEmptyFolder = (path: string): boolean => isFolder(path) && attempt(() => readdirSync(path))?.length === 0;
