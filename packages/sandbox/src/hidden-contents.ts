import { type Dirent, existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt, dataLayout, isWithin } from "@mdx-ai/base";
import { isFolder, type ListFolder, realPathOrSame, walkFolder } from "@mdx-ai/base/disk";
import type { DeniedAccess, DeniedPaths } from "./command-sandbox.ts";
import { isNeeded, isSystem, NEEDED } from "./homes.ts";
import { type MountDraft, realOf } from "./mount-draft.ts";
import { closedText, coveringFolders } from "./unsearched-folders.ts";
import type { WorkspaceContents } from "./workspace-search.ts";

/** The folders whose files an agent can see. All paths are absolute and real. */
export interface Contents {
  readonly agentDir: string;
  /** Holds the agent's sessions, state and logs. */
  readonly dataDir: string;
  /** Other folders of the user that an agent works with. */
  readonly folders: readonly string[];
  /** The files and folders that a tool declares, and the ones that the user shows. */
  readonly named: readonly string[];
  /** The code that runs in the sandbox. */
  readonly code: readonly string[];
  readonly program: readonly string[];
  readonly denied: DeniedAccess | undefined;
  /** The names of files that are hidden at any depth. */
  readonly hideNamed: RegExp;
  readonly list: ListFolder;
  /** Whether a path exists only as a placeholder of a sandbox. */
  isFree(path: string): boolean;
  /** The workspace, and the result of searching it. */
  readonly workspace?: { readonly folder: string; readonly contents: WorkspaceContents } | undefined;
  /** Receives a line if folders are hidden or read-only because there are too many to search. */
  onWarning(message: string): void;
}

/** Large folders with files of other authors. */
const LARGE: readonly string[] = ["node_modules", ".git"];

/** The most files that are denied or hidden one by one; each costs a mount. */
const MAX_FILES = 1_000;

/** The permissions deny more files one by one than a sandbox can hide. */
class ManyDeniedFilesError extends Error {
  override readonly name = "ManyDeniedFilesError";
}

/**
 * Hides the records of the agent's sessions, files of variables, and files that the permissions deny to read; makes files
 * read-only that they deny to write. Records and files of variables that a tool or the user names stay visible. Folders that
 * cannot be searched are hidden or read-only. Throws `ManyDeniedFilesError` and `UnsearchedFoldersError`.
 */
export function hideContents(draft: MountDraft, contents: Contents): void {
  hideRecords(draft, contents);
  const { agentDir, folders, workspace } = contents;
  const searched = [agentDir, ...(workspace === undefined ? [] : [workspace.folder])];
  const around = folders.filter((folder) => !searched.some((own) => isWithin(own, folder)) && !isSystem(folder));
  for (const folder of new Set([...searched, ...around])) hideVariables(draft, folder, contents);
  const { read, write } = contents.denied ?? {};
  if (write) closeDenied(draft, { denied: write, closed: "read-only" }, contents);
  if (read) closeDenied(draft, { denied: read, closed: "hidden" }, contents);
}

function hideRecords(draft: MountDraft, { agentDir, dataDir, named }: Contents): void {
  const records = [agentDir, dataDir].flatMap((folder) => [dataLayout(folder).sessions, dataLayout(folder).logs]);
  for (const record of [...records, ...dataOfOthers(dataDir)].flatMap((path) => realOf(path) ?? [])) {
    if (!named.some((path) => isWithin(record, path)) && !isWithin(record, agentDir)) draft.hide(record);
  }
}

/** The folders of the agent's other users: beside this user's folder, or in the folder of all users. */
function dataOfOthers(dataDir: string): readonly string[] {
  const shared = basename(dirname(dataDir)) === USERS ? dirname(dataDir) : join(dataDir, USERS);
  const names = attempt(() => readdirSync(shared)) ?? [];
  return names.map((name) => join(shared, name)).filter((path) => path !== dataDir);
}

/** Holds a folder for each user. */
const USERS = "users";

function hideVariables(draft: MountDraft, folder: string, contents: Contents): void {
  const { named, list, workspace, hideNamed, isFree } = contents;
  if (!draft.isVisible(folder)) return;
  const crowded: string[] = [];
  let files = 0;
  const hide = (path: string): void => {
    const real = named.includes(path) ? undefined : realOf(path);
    const isMisleading = real !== undefined && real !== path && isNeeded(real, contents);
    if (real === undefined || isMisleading) return;
    files += 1;
    if (files <= MAX_FILES) draft.hide(real);
    else crowded.push(...new Set([dirname(path), dirname(real)]));
  };
  const visit = (path: string, entry: Dirent): boolean => {
    if (hideNamed.test(entry.name)) hide(path);
    else if (entry.isDirectory() && !LARGE.includes(entry.name) && path !== workspace?.folder && !isFree(path))
      return draft.isVisible(path);
    return false;
  };
  const found = workspace?.folder === folder ? workspace.contents : undefined;
  for (const path of found?.named ?? []) if (draft.isVisible(dirname(path))) hide(path);
  const unread = found?.unsearched ?? walkFolder(folder, visit, { list });
  closeUnsearched(
    draft,
    { start: folder, folders: [...unread, ...crowded], closed: "hidden", sought: ".env files" },
    contents,
  );
}

interface Unsearched {
  readonly start: string;
  readonly folders: readonly string[];
  readonly closed: "hidden" | "read-only";
  /** As text for people. */
  readonly sought: string;
}

/**
 * Hides the folders that were not searched, or makes them read-only, except the ones that the user names: a command may have
 * created so many.
 */
function closeUnsearched(
  draft: MountDraft,
  { start, folders: unsearched, closed, sought }: Unsearched,
  contents: Contents,
): void {
  const { folders, named } = contents;
  const ofUser = folders.filter((folder) => named.includes(folder) && folder !== start && isWithin(start, folder));
  const isNeeded = (folder: string): boolean =>
    containsNeeded(folder, contents) || ofUser.some((path) => isWithin(folder, path));
  const open = unsearched.filter((path) => draft.isVisible(path) && !ofUser.some((folder) => isWithin(folder, path)));
  if (open.length === 0) return;
  const covering = coveringFolders({ start, folders: open, isNeeded });
  for (const folder of covering) closed === "hidden" ? draft.hide(folder) : draft.protect(folder);
  contents.onWarning(closedText(covering, closed, sought));
}

interface Denial {
  readonly denied: DeniedPaths;
  readonly closed: "hidden" | "read-only";
}

function closeDenied(draft: MountDraft, { denied, closed }: Denial, contents: Contents): void {
  const { places, unsearched } = deniedFolders(draft, denied, contents);
  for (const place of places) closed === "hidden" ? draft.hide(place) : draft.protect(place);
  const sought = "files that the permissions deny";
  for (const [start, folders] of unsearched) closeUnsearched(draft, { start, folders, closed, sought }, contents);
}

interface DeniedFolders {
  readonly places: ReadonlySet<string>;
  /** The folders that were not searched, by the searched folder that contains them. */
  readonly unsearched: ReadonlyMap<string, readonly string[]>;
}

/** The existing, visible files and folders that are denied; a folder if everything in it is. */
function deniedFolders(draft: MountDraft, denied: DeniedPaths, contents: Contents): DeniedFolders {
  const { agentDir, folders, named, code, list } = contents;
  const places = new Set<string>();
  // The author denies it to the model, but declares that this tool needs it.
  const isMeant = (path: string): boolean =>
    named.some((place) => isWithin(path, place) || (isWithin(place, path) && denied.deniesAllIn(place))) &&
    !denied.isOfUser(path);
  const consider = (path: string, isInside: boolean): boolean => {
    if (LARGE.includes(basename(path)) && !denied.names(basename(path))) return false;
    if (NEEDED.includes(path) || code.includes(path) || (isInside && !draft.isVisible(path))) return false;
    const isWhole = isInside && denied.deniesAllIn(path) && !containsNeeded(path, contents) && !isMeant(path);
    if (isInside ? isWhole : denied.denies(path) && !isMeant(path)) places.add(path);
    return isInside && !isWhole && places.size <= MAX_FILES;
  };
  const seen = denied.bases.flatMap((base) => [
    base,
    ...[agentDir, ...folders].filter((folder) => isWithin(base, folder)),
  ]);
  const unsearched = new Map<string, readonly string[]>();
  for (const start of new Set(seen.map(realPathOrSame))) {
    if (!existsSync(start) || !consider(start, isFolder(start))) continue;
    const visit = (path: string, entry: Dirent): boolean =>
      !entry.isSymbolicLink() && consider(path, entry.isDirectory());
    unsearched.set(start, walkFolder(start, visit, { list }));
  }
  if (places.size > MAX_FILES) {
    const advice = "deny their folder, as in FOLDER/**";
    throw new ManyDeniedFilesError(`the permissions deny more than ${MAX_FILES} files one by one: ${advice}`);
  }
  return { places, unsearched };
}

const containsNeeded = (folder: string, { agentDir, code, program }: Contents): boolean =>
  [agentDir, ...code, ...program, ...NEEDED].some((path) => isWithin(folder, path));
