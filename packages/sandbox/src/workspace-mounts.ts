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
  /** Those that commands find taken where they do not exist. */
  readonly reserved: readonly string[];
  /** Those that are removed after a command that created one. */
  readonly forbidden: readonly string[];
  /** Folders of git, which must not be moved away. */
  readonly folders: readonly string[];
  readonly contents: WorkspaceContents;
}

/** A workspace, and what is protected in it. */
interface ProtectedWorkspace {
  /** Absolute and real. */
  readonly folder: string;
  readonly gitFolders: readonly string[];
  readonly kept: ProtectedInWorkspace;
}

export interface OpenPaths {
  /** They keep their access even in a protected folder: the agent directory, and what the user says. */
  readonly open: readonly string[];
  /** Whether a path only seems to exist, since a sandbox reserves it. */
  readonly isFree: (path: string) => boolean;
}

/**
 * Protects, in a sandbox that may write a workspace, what runs code on its own there; and hides what other agents in it record.
 * Returns the paths that must stay the same files.
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
  // Nothing can be mounted over a link: the folder around it is closed, and what it leads to is protected.
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
  // A folder on the way to it may be a link.
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

/** Closes the folder around a link, in which what exists can be written as before. */
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

/** The entries of a folder that is closed, except links. */
const entriesOf = (folder: string): readonly string[] =>
  (attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [])
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => join(folder, entry.name));
