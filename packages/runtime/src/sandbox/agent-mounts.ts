import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isWithin, pathWithin, realPlace } from "../files/real-place.ts";
import { dataLayout } from "../layout.ts";
import { meaningOf } from "../permissions/defining-files.ts";
import type { Mount } from "./mounts.ts";

/** What of an agent directory a sandbox may change. */
export interface AgentPlaces {
  /** Absolute and real. */
  readonly agentDir: string;
  /** Files of it that trust covers, relative to it, separated by "/". */
  readonly definingFiles: readonly string[];
}

const WRITABLE: Mount = { kind: "writable" };
const READ_ONLY: Mount = { kind: "read-only" };

/**
 * The mounts by which an agent directory can be written to but for what defines or records the agent. What is absent must
 * have its placeholders by now. A folder on the way to what is protected is a mount of its own, so that it cannot be moved
 * away with what it holds. Throws what the file system says.
 */
export function agentMounts({ agentDir, definingFiles }: AgentPlaces): Map<string, Mount> {
  const mounts = new Map<string, Mount>([[agentDir, WRITABLE]]);
  const defining = new Set(definingFiles.map((file) => file.toLowerCase()));
  const isProtected = (path: string): boolean => meaningOf(pathWithin(agentDir, path) ?? "", defining) !== undefined;
  // Agents write to their own folder and to state/, whatever else stands there.
  const isImportedFrom = (folder: string): boolean => folder !== agentDir && folder !== dataLayout(agentDir).state;
  const protect = (files: readonly string[]): void => {
    const linked = foldersOf(agentDir, files).flatMap((folder) =>
      protectIn(folder, mounts, { isProtected, isImportedFrom }),
    );
    const targets = linked.map(realPlace).filter((path) => isWithin(agentDir, path) && !isHeld(path, mounts));
    for (const target of targets) defining.add((pathWithin(agentDir, target) ?? "").toLowerCase());
    // Where a link leads is protected as the link is.
    if (targets.length > 0) protect(targets);
  };
  protect([
    join(agentDir, "agent.mdx"),
    join(dataLayout(agentDir).state, "any"),
    ...definingFiles.map((file) => join(agentDir, file)),
  ]);
  return mounts;
}

/** The folders from the agent directory on that lie on the way to the files, those on top first. */
function foldersOf(agentDir: string, files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let folder = dirname(file); isWithin(agentDir, folder); folder = dirname(folder)) folders.add(folder);
  }
  return [...folders].toSorted((one, other) => one.length - other.length);
}

interface Protection {
  isProtected(path: string): boolean;
  /** Whether a folder on the way to a protected file is one that files are imported from, and little else. */
  isImportedFrom(folder: string): boolean;
}

/** Gives the links among what it protects. */
function protectIn(
  folder: string,
  mounts: Map<string, Mount>,
  { isProtected, isImportedFrom }: Protection,
): readonly string[] {
  if (isHeld(folder, mounts) || !lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  const guarded = entries.filter((entry) => isProtected(join(folder, entry.name)));
  const links = guarded.filter((entry) => entry.isSymbolicLink()).map((entry) => join(folder, entry.name));
  // A link cannot be mounted upon, nor what could be found in the stead of an imported file, such as a new x.ts beside x.js:
  // what protects both is that nothing comes or goes beside them.
  const isClosed = links.length > 0 || isImportedFrom(folder);
  mounts.set(folder, isClosed ? READ_ONLY : WRITABLE);
  for (const entry of isClosed ? entries : guarded) {
    const place = join(folder, entry.name);
    if (!entry.isSymbolicLink()) mounts.set(place, isProtected(place) || isSpecial(entry) ? READ_ONLY : WRITABLE);
  }
  return links;
}

/** Whether a place lies in one that is read-only as a whole. */
function isHeld(place: string, mounts: ReadonlyMap<string, Mount>): boolean {
  for (let folder = place; folder !== dirname(folder); folder = dirname(folder)) {
    const mount = mounts.get(folder);
    if (mount) return mount.kind === "read-only";
  }
  return false;
}

const isSpecial = (entry: Dirent): boolean => !entry.isFile() && !entry.isDirectory();
