import { isAbsolute, join } from "node:path";
import { DATA_FOLDERS, isWithin } from "@mdx-ai/base";
import { findProgram, pathWithin, realPathOrSame } from "@mdx-ai/base/disk";
import type { Permissions } from "./permissions.ts";

/** Virtual file systems of the kernel, and the folders that all sandboxes of a user share. No command needs to write there. */
const NEVER = /^\/(?:proc|sys|dev|(?:private\/)?tmp\/mdx-ai-\d+)(?:\/|$)/;

/** System folders: their files run automatically, or for all users. */
const SYSTEM: readonly string[] = [
  ..."/bin /boot /etc /lib /lib32 /lib64 /libx32 /nix /run /sbin /usr /Applications /Library /System".split(" "),
  ..."/var/cache /var/db /var/lib /var/lock /var/log /var/run /var/spool".split(" "),
];

/** Shared folders, which are never granted as a whole. */
const COMMON: readonly string[] = "/ /home /media /mnt /opt /srv /tmp /var /var/home /var/tmp /dev/shm".split(" ");

/** A sandbox has its own copy of these, except for the folders in them that contain the agent or the user's working directory. */
const PRIVATE: readonly string[] = ["/tmp", "/var/tmp", "/dev/shm"];

/** The programs that start sandboxes. */
const PROGRAMS: readonly string[] = ["bwrap", "nsenter", "sandbox-exec"];

/** Whether a command that wanted to write a real path gets no grant, not even of the whole sandbox. */
export const isNeverGranted = (permissions: Permissions, path: string): boolean =>
  (NEVER.test(path) && !isWithin("/dev/shm", path)) || programsOf(permissions).includes(path);

/**
 * Whether a real path cannot be granted by itself: it is, contains, or is in a system path, a sandbox has its own copy of it, or
 * `PATH` finds programs in it.
 */
export function isClosedPath(permissions: Permissions, place: string): boolean {
  const { cwd, agentDir, home } = permissions.places();
  const isCommon = COMMON.some((folder) => place === folder || place === realPathOrSame(folder));
  if (isCommon || isNeverGranted(permissions, place)) return true;
  const programs = [...programsOf(permissions), ...programFolders(permissions)];
  if (programs.some((path) => isWithin(place, path) || isWithin(path, place))) return true;
  // The home folder of a service is in a system folder.
  const isHome = (folder: string): boolean =>
    home !== undefined && home !== folder && isWithin(folder, home) && isWithin(home, place);
  if (withReal(SYSTEM).some((folder) => isWithin(folder, place) && !isHome(folder))) return true;
  return withReal(PRIVATE).some(
    (folder) => isWithin(folder, place) && ![cwd, agentDir].some((seen) => isSameWay(folder, seen, place)),
  );
}

/** The folders of a data directory that is separate from the agent directory. */
export function recordsOf(permissions: Permissions): readonly string[] {
  const { dataDir } = permissions.options;
  if (dataDir === undefined) return [];
  const places = DATA_FOLDERS.map((name) => realPathOrSame(join(dataDir, name)));
  return places.filter((place) => !isWithin(permissions.places().agentDir, place));
}

/** Whether two paths are in the same subfolder of a folder. */
function isSameWay(folder: string, one: string, other: string): boolean {
  const way = pathWithin(folder, one)?.split("/")[0];
  return way !== undefined && way !== "" && pathWithin(folder, other)?.split("/")[0] === way;
}

function programsOf({ options }: Permissions): readonly string[] {
  const { environment, agentDir, cwd } = options;
  const found = PROGRAMS.flatMap((name) => findProgram(name, { environment, outside: [agentDir, cwd] }) ?? []);
  return withReal([process.execPath, ...found]);
}

/** The folders of `PATH`, except folders in the agent directory and the working directory, where programs are never searched. */
function programFolders(permissions: Permissions): readonly string[] {
  const { agentDir, cwd } = permissions.places();
  const folders = permissions.options.environment["PATH"]?.split(":").filter(isAbsolute) ?? [];
  return withReal(folders).filter((folder) => ![agentDir, cwd].some((own) => isWithin(own, folder)));
}

const withReal = (paths: readonly string[]): readonly string[] => [
  ...new Set(paths.flatMap((path) => [path, realPathOrSame(path)])),
];
