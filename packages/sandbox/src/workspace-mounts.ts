import { lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt, DATA_FOLDERS, isWithin } from "@mdx-ai/base";
import { isFolder } from "@mdx-ai/base/disk";
import { type MountDraft, realOf } from "./mount-draft.ts";
import type { Mount } from "./mounts.ts";
import type { WorkspaceContents } from "./workspace-search.ts";

/** What a sandbox protects in a workspace. All paths are absolute. */
export interface ProtectedInWorkspace {
  /** Files and folders that become read-only where they exist. */
  readonly paths: readonly string[];
  /** Paths that become placeholders if they do not exist. */
  readonly reserved: readonly string[];
  /** Paths that are removed after a command that created them. */
  readonly forbidden: readonly string[];
  /** Git folders, which must not be moved away. */
  readonly folders: readonly string[];
  readonly contents: WorkspaceContents;
}

/** A workspace and its protected paths. */
interface ProtectedWorkspace {
  /** Absolute and real. */
  readonly folder: string;
  readonly gitFolders: readonly string[];
  readonly kept: ProtectedInWorkspace;
}

export interface OpenPaths {
  /** Paths that keep their access even in a protected folder: the agent directory, and paths that the user names. */
  readonly open: readonly string[];
  /** Whether a path exists only as a placeholder of a sandbox. */
  readonly isFree: (path: string) => boolean;
}

/**
 * Protects paths of a writable workspace that run code automatically, and hides the records of other agents in it. Returns the
 * paths that must stay the same files.
 */
export function protectWorkspace(
  draft: MountDraft,
  workspace: ProtectedWorkspace,
  { open, isFree }: OpenPaths,
): readonly string[] {
  const { paths, folders, contents } = workspace.kept;
  const isMount = new Set(draft.mounts.keys());
  for (const folder of folders) draft.hold(folder);
  const existing = paths.filter((path) => !isFree(path)).flatMap((path) => kindOf(path) ?? []);
  for (const { path } of existing.filter(({ isLink }) => !isLink)) protect(draft, path, open);
  // Nothing can be mounted over a link, so its folder is closed and its target is protected.
  for (const { path } of existing.filter(({ isLink }) => isLink)) closeAround(draft, path, open);
  const own = [workspace.folder, ...workspace.gitFolders];
  for (const agent of contents.agents) hideRecords(draft, agent, open);
  return [...draft.mounts.keys()].filter((path) => !isMount.has(path) && own.some((folder) => isWithin(folder, path)));
}

interface Existing {
  readonly path: string;
  readonly isLink: boolean;
}

function kindOf(path: string): Existing | undefined {
  const stats = attempt(() => lstatSync(path, { throwIfNoEntry: false }));
  return stats && { path, isLink: stats.isSymbolicLink() };
}

function protect(draft: MountDraft, path: string, open: readonly string[]): void {
  // A folder in its path may be a link.
  const real = realOf(path);
  if (real === undefined || open.includes(real)) return;
  const kept = [...draft.mounts].filter(([place]) =>
    open.some((folder) => isWithin(real, folder) && isWithin(folder, place)),
  );
  draft.protect(real);
  for (const [place, mount] of kept) draft.mounts.set(place, mount);
}

const READ_ONLY: Mount = { kind: "read-only" };
const WRITABLE: Mount = { kind: "writable" };

/** Closes the folder that contains a link; its existing entries stay writable. */
function closeAround(draft: MountDraft, link: string, open: readonly string[]): void {
  const folder = realOf(dirname(link));
  if (folder === undefined || draft.around(folder)?.kind !== "writable") return;
  draft.hold(folder);
  for (const place of entriesOf(folder)) if (!draft.mounts.has(place)) draft.mounts.set(place, WRITABLE);
  draft.mounts.set(folder, READ_ONLY);
  protect(draft, link, open);
}

function hideRecords(draft: MountDraft, agent: string, open: readonly string[]): void {
  const records = DATA_FOLDERS.map((name) => join(agent, name)).filter(isFolder);
  for (const record of records) if (!open.some((path) => isWithin(record, path))) draft.hide(record);
}

/** The entries of a closed folder, except links. */
const entriesOf = (folder: string): readonly string[] =>
  (attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [])
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => join(folder, entry.name));
