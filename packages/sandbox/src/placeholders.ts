import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "@mdx-ai/base";
import { isRunning, processBirth, readWholeFile } from "@mdx-ai/base/disk";
import { isRoot } from "./holder.ts";
import { type Mounts, mountOf } from "./mounts.ts";
import { keepFolder, sharedFolder } from "./run-folder.ts";

/** The extension of the lists of placeholders, in the folder that all sandboxes of the user share. */
const LISTS = ".placeholders";

/**
 * The extension of a list whose placeholders its process, or the reaper of its killed process, is removing. Until then they still count as
 * placeholders.
 */
const GONE = `${LISTS}.gone`;

/** The extension of a list that is not complete. `removeStale` removes it if its process was killed. */
const DRAFT = ".tmp";

/**
 * Removes the placeholders of a killed process that no other process uses. Its argument is the list of that process: paths,
 * innermost first, each followed by a null character.
 */
export const REMOVE_PLACEHOLDERS: string = `
[ -e "$1" ] || exit 0
# What a sandbox contains dies a moment after it.
sleep 0.05
mv "$1" "$1.gone" && cd "\${1%/*}" || exit
xargs -0 -r -n 1 /bin/sh -c 'cat /dev/null ./*${LISTS} 2>/dev/null | grep -qzxF -e "$1" || rmdir -- "$1"' mdx-ai < "$1.gone" 2>/dev/null
rm -f "$1.gone"
`;

/** The missing paths that a command must not create. Absolute. */
export interface Reserved {
  /** An empty folder of the sandbox is mounted over each of them. */
  readonly covered: readonly string[];
  /** Their parent folders, outermost first, mounted unchanged so that they cannot be moved away. */
  readonly pinned: readonly string[];
}

export const NOTHING_RESERVED: Reserved = { covered: [], pinned: [] };

/** The bytes of a folder that covers a placeholder. */
const COVER_BYTES = 4_096;

/** The bubblewrap arguments for reserved paths. */
export const reservingArguments = ({ covered, pinned }: Reserved): string[] => [
  ...pinned.flatMap((path) => ["--bind", path, path]),
  // Cheaper than a read-only bind, which makes bubblewrap read all mounts.
  ...covered.flatMap((path) => ["--perms", "0555", "--size", String(COVER_BYTES), "--tmpfs", path]),
  // For root, the mode of a folder prevents nothing: what it wrote there would be lost without an error.
  ...(isRoot() ? covered.flatMap((path) => ["--remount-ro", path]) : []),
];

/**
 * Empty folders at missing protected paths, since only existing paths can be mounted over. An empty folder is harmless: git does
 * not list it, programs that look for a file there find none, and removing it cannot remove a file. Each process lists its
 * placeholders in the folder that all sandboxes share, so that none removes another's, and killed processes leave none behind.
 */
export class Placeholders {
  readonly #folder: string;
  /** The list of this process. Absolute. */
  readonly list: string;
  readonly #own = new Set<string>();
  #written = "";

  /** `folder` is the result of `runFolder`. */
  constructor(folder: string) {
    this.#folder = folder;
    this.list = join(folder, `${process.pid}-${crypto.randomUUID()}${LISTS}`);
  }

  /** Whether a path is a placeholder of any process now. Looks at each path once. */
  look(): (path: string) => boolean {
    const listed = this.#listed();
    const known = new Map<string, boolean>();
    return (path) => {
      if (!listed.has(path)) return false;
      const isOne = known.get(path) ?? isEmptyFolder(path);
      known.set(path, isOne);
      return isOne;
    };
  }

  #listed(): ReadonlySet<string> {
    return new Set([...this.#own, ...listsIn(this.#folder, this.list).flatMap(({ paths }) => paths)]);
  }

  /**
   * The missing paths that commands with these mounts could create. Creates nothing. `paths` are absolute and real; `isPlaceholder` is a result
   * of `look`.
   */
  free(
    paths: readonly string[],
    mounts: Mounts,
    isPlaceholder: (path: string) => boolean = this.look(),
  ): readonly string[] {
    const free = paths.filter((path) => {
      if (mounts.has(path) || mountOf(mounts, path)?.kind !== "writable") return false;
      return attempt(() => lstatSync(path, { throwIfNoEntry: false })) === undefined || isPlaceholder(path);
    });
    const set = new Set(free);
    // The outermost path covers the paths in it.
    return free.filter((path) => !foldersAround(path, (folder) => mounts.has(folder)).some((one) => set.has(one)));
  }

  /** Makes placeholders at free paths. Throws the file system's error if they cannot be listed. */
  reserve(free: readonly string[], mounts: Mounts): Reserved {
    if (free.length === 0) return NOTHING_RESERVED;
    const pinned = [...new Set(free.flatMap((path) => foldersAround(path, (folder) => mounts.has(folder))))];
    const outerFirst = pinned.toSorted((one, other) => one.length - other.length);
    // A placeholder that contains another is not empty; the last process that lists it removes it.
    const listed = this.#listed();
    const around = free.flatMap((path) => foldersAround(path, () => false)).filter((folder) => listed.has(folder));
    for (const folder of around) this.#own.add(folder);
    for (const path of [...outerFirst, ...free]) {
      if (listed.has(path) || lstatSync(path, { throwIfNoEntry: false }) === undefined) this.#own.add(path);
    }
    // Other processes see the list before the placeholders in it.
    this.#write();
    // Where this user cannot create a placeholder, a command cannot create the file.
    return { pinned: made(outerFirst), covered: made(free) };
  }

  /** Makes the placeholders again that another program has removed; from now on they are this process's, too. Never throws. */
  renew({ covered, pinned }: Reserved): void {
    const gone = [...pinned, ...covered].filter((path) => !isFolder(path));
    for (const path of gone) this.#own.add(path);
    attempt(() => this.#write());
    made(gone);
  }

  /** Whether all placeholders still exist; another program may have replaced one. */
  areThere({ covered }: Reserved): boolean {
    return covered.every(isFolder);
  }

  /** Removes the placeholders that no other process uses, and those of killed processes. Never throws. */
  remove(): void {
    const own = [...this.#own];
    this.#own.clear();
    this.#written = "";
    // A path counts as a placeholder until it is removed. If two processes end at once, one of them removes it.
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
    // Another process that reads a part of the list would remove the other placeholders.
    const draft = this.list.replace(LISTS, DRAFT);
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, this.list);
    this.#written = text;
  }
}

/**
 * Removes the placeholders of killed processes, unless a running process uses them. `folder` is the result of `runFolder`. Never
 * throws.
 */
export const removeStalePlaceholders = (folder: string): void => removeUnused(folder, []);

/** Whether a path is a placeholder of any process, so it should be shown as missing. */
export const isPlaceholder = (path: string): boolean => isFolder(path) && placeholdersNow()(path);

/**
 * Returns a test for the placeholders that are listed at this moment, and for the folders that contain nothing else: both should be shown
 * as missing. Paths are absolute and real.
 */
export function placeholdersNow(): (path: string) => boolean {
  const folder = sharedFolder();
  const listed = new Set(folder === undefined ? [] : listsIn(folder).flatMap(({ paths }) => paths));
  const isOne = (path: string): boolean =>
    listed.has(path) &&
    isFolder(path) &&
    (attempt(() => readdirSync(path))?.every((name) => isOne(join(path, name))) ?? false);
  return isOne;
}

/**
 * Frees a path for the user's file if it is a placeholder. A running command could then write that file until it ends. Returns
 * whether it was a placeholder. Never throws.
 */
export const freePlaceholder = (path: string): boolean =>
  isPlaceholder(path) && attempt(() => rmdirSync(path) ?? true) === true;

function removeUnused(folder: string, paths: readonly string[]): void {
  const lists = listsIn(folder).map((list) => ({ ...list, isRunning: isRunning(list.pid, list.birth) }));
  const used = new Set(lists.flatMap((list) => (list.isRunning && list.isInUse ? list.paths : [])));
  // A running process that is removing its own may already need them again.
  const dead = lists.filter((list) => !list.isRunning);
  for (const path of [...paths, ...dead.flatMap((list) => list.paths)].toSorted((a, b) => b.length - a.length)) {
    // It stays if it is not empty.
    if (!used.has(path)) attempt(() => rmdirSync(path));
  }
  for (const { file } of dead) attempt(() => rmSync(file, { force: true }));
}

/** What a process lists. */
interface PlaceholderList {
  /** Absolute. */
  readonly file: string;
  readonly pid: number;
  readonly birth: string | undefined;
  /** Whether nobody is removing them. */
  readonly isInUse: boolean;
  readonly paths: readonly string[];
}

/** The lists in a folder, except one. */
function listsIn(folder: string, own?: string): readonly PlaceholderList[] {
  const names = attempt(() => readdirSync(folder)) ?? [];
  return names
    .filter((name) => name.endsWith(LISTS) || name.endsWith(GONE))
    .flatMap((name) => (join(folder, name) === own ? [] : (readList(join(folder, name), name) ?? [])));
}

function readList(file: string, name: string): PlaceholderList | undefined {
  // A process that removes its placeholders has renamed its list meanwhile.
  const text = textOf(file) ?? textOf(`${file}.gone`);
  if (text === undefined) return undefined;
  const [birth, ...paths] = text.split("\0").slice(0, -1);
  return { file, pid: Number.parseInt(name, 10), birth: birth || undefined, isInUse: name.endsWith(LISTS), paths };
}

const textOf = (file: string): string | undefined => attempt(() => readWholeFile(file).toString("utf8"));

/** The parent folders of a path, innermost first, up to the first that `isMount` accepts. */
function foldersAround(path: string, isMount: (folder: string) => boolean): readonly string[] {
  const folder = dirname(path);
  return folder === path || isMount(folder) ? [] : [folder, ...foldersAround(folder, isMount)];
}

/** Makes missing folders; returns the paths that are folders then. */
const made = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => isFolder(path) || attempt(() => mkdirSync(path) ?? true) || isFolder(path));

const isFolder = (path: string): boolean =>
  attempt(() => lstatSync(path, { throwIfNoEntry: false }))?.isDirectory() ?? false;

const isEmptyFolder = (path: string): boolean => isFolder(path) && attempt(() => readdirSync(path))?.length === 0;
