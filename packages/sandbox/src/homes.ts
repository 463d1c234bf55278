import { accessSync, constants, readFileSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { attempt, type Environment, isWithin } from "@mdx-ai/base";
import { isFolder } from "@mdx-ai/base/disk";
import { realOf } from "./mount-draft.ts";

export interface HomeQuestion {
  readonly environment: Environment;
  /** The file of the system's accounts. Absolute. */
  readonly accounts: string;
}

/** The home folders of people, or a folder that contains many of them. All exist and are real. */
export interface Homes {
  /** This user's; programs receive the first one as `HOME`. */
  readonly own: readonly string[];
  /** Other people's, if this user can access them. */
  readonly others: readonly string[];
}

/** The ids of people's accounts; other ids, except root's, belong to services. */
const PEOPLE = { first: 1000, last: 60_000 };

/** If a folder contains more homes than this, the folder itself is hidden. */
const MAX_IN_ONE_FOLDER = 8;

/** System folders: a home is neither in one of these nor above one. */
const SYSTEM = "/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /nix /proc /run /sbin /sys /usr".split(" ");

/** Folders that contain homes and other things; none of them is itself a home. */
const COMMON = "/home /media /mnt /opt /srv /tmp /var /var/cache /var/home /var/lib /var/log /var/spool /var/tmp".split(
  " ",
);

/**
 * The homes to hide: this user's, root's, and those of all people with an account. Services have no homes: their folders, such as
 * `/var/lib/x`, belong to the system.
 */
export function homeFolders({ environment, accounts }: HomeQuestion): Homes {
  const uid = process.getuid?.() ?? 0;
  const listed = accountsIn(attempt(() => readFileSync(accounts, "utf8")) ?? "");
  const ofAccounts = (isMeant: (uid: number) => boolean): readonly string[] =>
    listed.filter((account) => isMeant(account.uid)).map(({ home }) => home);
  const own = realFolders([environment["HOME"] ?? "", ...ofAccounts((owner) => owner === uid)]);
  const others = realFolders(ofAccounts(isPerson))
    .filter((home) => isPersonal(home) && isReachable(home))
    .filter((home) => !own.some((folder) => isWithin(folder, home)));
  return { own, others: gathered(others, own) };
}

interface Account {
  readonly uid: number;
  readonly home: string;
}

function accountsIn(text: string): readonly Account[] {
  return text.split("\n").flatMap((line) => {
    const [, , uid = "", , , home = ""] = line.split(":");
    return /^\d+$/.test(uid) ? [{ uid: Number(uid), home }] : [];
  });
}

const isPerson = (uid: number): boolean => uid === 0 || (uid >= PEOPLE.first && uid <= PEOPLE.last);

/** Removes folders that cannot be homes. */
function realFolders(paths: readonly string[]): readonly string[] {
  const real = paths.filter((path) => isAbsolute(path)).flatMap((path) => realOf(path) ?? []);
  return [...new Set(real)].filter((path) => isFolder(path) && !isSystem(path));
}

/** Whether a path belongs to the system or contains a system path, so it is no folder to work in. */
export const isSystem = (path: string): boolean =>
  SYSTEM.some((folder) => isWithin(folder, path) || isWithin(path, folder)) || COMMON.includes(path);

/** Paths without which no program starts. */
export const NEEDED: readonly string[] = ["/bin", "/lib", "/lib32", "/lib64", "/nix", "/sbin", "/usr"];

/** The paths that must be visible in a sandbox. All absolute and real. */
export interface NeededPaths {
  readonly agentDir: string;
  /** The files that a process of mdx-ai needs. */
  readonly program: readonly string[];
}

/**
 * Whether programs or the agent need a real path or its contents. Then it stays visible although a link with a hidden name leads
 * to it: a command may have made that link. Single files of /etc can be hidden.
 */
export function isNeeded(path: string, { agentDir, program }: NeededPaths): boolean {
  const isAround = [agentDir, ...program].some((place) => isWithin(path, place));
  const isOfProgram = program.some((place) => isWithin(place, path));
  return isAround || isOfProgram || (isSystem(path) && (isFolder(path) || !isWithin("/etc", path)));
}

const isPersonal = (home: string): boolean => !isWithin("/var", home) || isWithin("/var/home", home);

/** Whether this user can list a folder, or open its files by name. */
const isReachable = (path: string): boolean =>
  [constants.R_OK, constants.X_OK].some((mode) => attempt(() => accessSync(path, mode) ?? true));

/** Replaces many homes by the folder that contains them: each mount costs time. */
function gathered(homes: readonly string[], own: readonly string[]): readonly string[] {
  const folders = Map.groupBy(homes, (home) => dirname(home));
  return [...folders].flatMap(([folder, within]) =>
    within.length > MAX_IN_ONE_FOLDER && folder !== "/" && !own.includes(folder) ? [folder] : within,
  );
}
