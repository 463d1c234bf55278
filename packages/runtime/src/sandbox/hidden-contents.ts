import { existsSync } from "node:fs";
import { basename } from "node:path";
import { isWithin, realPlaceOrSame } from "../files/real-place.ts";
import { walkFolder } from "../files/walk-folder.ts";
import { dataLayout } from "../layout.ts";
import type { DeniedPaths } from "../permissions/denied-paths.ts";
import { isVariablesFile } from "../permissions/secret-places.ts";
import type { DeniedAccess } from "./enclosure.ts";
import { isSystem } from "./homes.ts";
import { isFolder, type MountDraft, realOf } from "./mount-draft.ts";

/** What an agent sees files of. All paths are absolute and real. */
export interface Contents {
  readonly agentDir: string;
  /** Holds the agent's sessions, state and logs. */
  readonly dataDir: string;
  /** Other folders of the user that an agent works with. */
  readonly folders: readonly string[];
  /** The files and folders that a tool says it accesses, and those that the user shows. */
  readonly named: readonly string[];
  /** The code that runs in the sandbox, which it must see. */
  readonly code: readonly string[];
  readonly program: readonly string[];
  readonly denied: DeniedAccess | undefined;
  /** Receives a line if there are too many files to find all that is to be hidden. */
  onWarning(message: string): void;
}

/** Folders that are large, and hold other people's files. */
const LARGE: readonly string[] = ["node_modules", ".git"];

/** Without these, no program starts. */
const NEEDED: readonly string[] = ["/bin", "/lib", "/lib32", "/lib64", "/nix", "/sbin", "/usr"];

/** Files that are denied one by one; each is a mount, which costs time. */
const MOST_DENIED = 1_000;

/** The permissions deny more files one by one than a sandbox can hide. */
class ManyDeniedFilesError extends Error {
  override readonly name = "ManyDeniedFilesError";
}

/**
 * Hides, in what a sandbox shows, the records of the agent's sessions, files of variables, and what the permissions deny to read;
 * what they deny to write becomes read-only. The records and files of variables that a tool or the user names are seen.
 * Throws `ManyDeniedFilesError`.
 */
export function hideContents(draft: MountDraft, contents: Contents): void {
  hideRecords(draft, contents);
  const { agentDir, folders } = contents;
  const around = folders.filter((folder) => !isWithin(agentDir, folder) && !isSystem(folder));
  for (const folder of [agentDir, ...around]) hideVariables(draft, folder, contents);
  const { read, write } = contents.denied ?? {};
  if (write) for (const place of deniedPlaces(draft, write, contents)) draft.protect(place);
  if (read) for (const place of deniedPlaces(draft, read, contents)) draft.hide(place);
}

function hideRecords(draft: MountDraft, { agentDir, dataDir, named }: Contents): void {
  const records = [agentDir, dataDir].flatMap((folder) => [dataLayout(folder).sessions, dataLayout(folder).logs]);
  for (const record of records.flatMap((path) => realOf(path) ?? [])) {
    if (!named.some((path) => isWithin(record, path)) && !isWithin(record, agentDir)) draft.hide(record);
  }
}

function hideVariables(draft: MountDraft, folder: string, { named, onWarning }: Contents): void {
  if (!draft.isVisible(folder)) return;
  const unread = walkFolder(folder, (path, entry) => {
    if (isVariablesFile(entry.name)) {
      const real = realOf(path);
      if (real !== undefined && !named.includes(path)) draft.hide(real);
      return false;
    }
    return entry.isDirectory() && !LARGE.includes(entry.name) && draft.isVisible(path);
  });
  if (unread.length > 0)
    onWarning(`${folder} holds too many files to hide each .env file in it from commands and tools`);
}

/** The files and folders that exist, are seen and are denied; a folder if everything in it is. */
function deniedPlaces(draft: MountDraft, denied: DeniedPaths, contents: Contents): readonly string[] {
  const { agentDir, folders, named, code } = contents;
  const places = new Set<string>();
  // The author denies it to the model, and says that this tool needs it.
  const isMeant = (path: string): boolean =>
    named.some((place) => isWithin(path, place) || (isWithin(place, path) && denied.deniesAllIn(place))) &&
    !denied.isOfUser(path);
  const consider = (path: string, isInside: boolean): boolean => {
    if (LARGE.includes(basename(path)) && !denied.names(basename(path))) return false;
    if (NEEDED.includes(path) || code.includes(path) || (isInside && !draft.isVisible(path))) return false;
    const isWhole = isInside && denied.deniesAllIn(path) && !holdsNeeded(path, contents) && !isMeant(path);
    if (isInside ? isWhole : denied.denies(path) && !isMeant(path)) places.add(path);
    return isInside && !isWhole && places.size <= MOST_DENIED;
  };
  const seen = denied.bases.flatMap((base) => [
    base,
    ...[agentDir, ...folders].filter((folder) => isWithin(base, folder)),
  ]);
  const isComplete = [...new Set(seen.map(realPlaceOrSame))].map((start) => {
    if (!existsSync(start) || !consider(start, isFolder(start))) return true;
    const unread = walkFolder(start, (path, entry) => !entry.isSymbolicLink() && consider(path, entry.isDirectory()));
    return unread.length === 0;
  });
  if (places.size > MOST_DENIED) {
    const advice = "deny their folder, as in FOLDER/**";
    throw new ManyDeniedFilesError(`the permissions deny more than ${MOST_DENIED} files one by one: ${advice}`);
  }
  if (isComplete.includes(false))
    contents.onWarning("there are too many files to hide each one that the permissions deny from commands and tools");
  return [...places];
}

const holdsNeeded = (folder: string, { agentDir, code, program }: Contents): boolean =>
  [agentDir, ...code, ...program, ...NEEDED].some((path) => isWithin(folder, path));
