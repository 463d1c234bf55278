import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataLayout, isWithin } from "@mdx-ai/base";
import { pathWithin, realPathOrSame } from "@mdx-ai/base/disk";
import type { Mount } from "./mounts.ts";
import type { SandboxLists } from "./sandbox-lists.ts";

/** An agent directory, and its files that a sandbox must not change. */
export interface AgentMountOptions {
  /** Absolute and real. */
  readonly agentDir: string;
  /** Files that trust covers, relative to the directory, separated by "/". */
  readonly definingFiles: readonly string[];
  readonly isProtected: SandboxLists["agent"]["isProtected"];
  /** Whether a path exists only as a placeholder of a sandbox. */
  readonly isFree: (path: string) => boolean;
}

const WRITABLE: Mount = { kind: "writable" };
const READ_ONLY: Mount = { kind: "read-only" };

/**
 * The mounts that make an agent directory writable, except for existing files that define or record the agent. A folder that
 * contains a protected file is a separate mount, so that it cannot be moved away with its contents. Throws the file system's
 * error.
 */
export function agentMounts({ agentDir, definingFiles, ...lists }: AgentMountOptions): Map<string, Mount> {
  const mounts = new Map<string, Mount>([[agentDir, WRITABLE]]);
  const linkedTo: string[] = [];
  const isProtected = (path: string): boolean =>
    !lists.isFree(path) &&
    (lists.isProtected(pathWithin(agentDir, path) ?? "") || linkedTo.some((target) => isWithin(target, path)));
  // Agents write to their directory and to state/, whatever else these contain.
  const isImportedFrom = (folder: string): boolean => folder !== agentDir && folder !== dataLayout(agentDir).state;
  const protect = (files: readonly string[]): void => {
    const linked = foldersOf(agentDir, files).flatMap((folder) =>
      protectIn(folder, mounts, { isProtected, isImportedFrom }),
    );
    const targets = linked.map(realPathOrSame).filter((path) => isWithin(agentDir, path) && !isHeld(path, mounts));
    linkedTo.push(...targets);
    // The target of a link is protected, too.
    if (targets.length > 0) protect(targets);
  };
  protect([
    join(agentDir, "agent.mdx"),
    join(dataLayout(agentDir).state, "any"),
    ...definingFiles.map((file) => join(agentDir, file)),
  ]);
  return mounts;
}

/** The folders between the agent directory and the files, outermost first. */
function foldersOf(agentDir: string, files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let folder = dirname(file); isWithin(agentDir, folder); folder = dirname(folder)) folders.add(folder);
  }
  return [...folders].toSorted((one, other) => one.length - other.length);
}

interface Protection {
  isProtected(path: string): boolean;
  /** Whether a folder that contains a protected file holds mainly files that are imported. */
  isImportedFrom(folder: string): boolean;
}

/** Returns the protected paths that are links. */
function protectIn(
  folder: string,
  mounts: Map<string, Mount>,
  { isProtected, isImportedFrom }: Protection,
): readonly string[] {
  if (isHeld(folder, mounts) || !lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  const guarded = entries.filter((entry) => isProtected(join(folder, entry.name)));
  const links = guarded.filter((entry) => entry.isSymbolicLink()).map((entry) => join(folder, entry.name));
  // Nothing can be mounted over a link, nor over an absent file that would be imported instead of another, such as a new x.ts
  // beside x.js. In both cases the whole folder is read-only.
  const isClosed = links.length > 0 || isImportedFrom(folder);
  mounts.set(folder, isClosed ? READ_ONLY : WRITABLE);
  for (const entry of isClosed ? entries : guarded) {
    const place = join(folder, entry.name);
    if (!entry.isSymbolicLink()) mounts.set(place, isProtected(place) || isSpecial(entry) ? READ_ONLY : WRITABLE);
  }
  return links;
}

/** Whether a path is inside a mount that is entirely read-only. */
function isHeld(place: string, mounts: ReadonlyMap<string, Mount>): boolean {
  for (let folder = place; folder !== dirname(folder); folder = dirname(folder)) {
    const mount = mounts.get(folder);
    if (mount) return mount.kind === "read-only";
  }
  return false;
}

const isSpecial = (entry: Dirent): boolean => !entry.isFile() && !entry.isDirectory();
