import { join } from "node:path";
import { HOLDING, Holder, isRoot, type SandboxPrograms, type Watch } from "./holder.ts";
import { type Mount, type Mounts, NOTHING } from "./mounts.ts";

/** The total size of all private folders of an agent's sandboxes, in bytes. They are in memory. */
export const MAX_BYTES = 1_073_741_824;

/** The size of the shared ones. The rest is for up to eight sandboxes with four private folders each. */
const SHARED_BYTES = 536_870_912;

/** The shared private folders, with their modes. */
const PRIVATE_FOLDERS = {
  tmp: "1777",
  "var-tmp": "1777",
  shm: "1777",
  cache: "0700",
  npm: "0700",
} as const;

const own = (name: keyof typeof PRIVATE_FOLDERS): Mount => ({ kind: "private", name, mode: PRIVATE_FOLDERS[name] });

/** System folders where programs expect to write, and other programs put their sockets. */
export const PRIVATE_MOUNTS: ReadonlyMap<string, Mount> = new Map<string, Mount>([
  ["/tmp", own("tmp")],
  ["/var/tmp", own("var-tmp")],
  ["/dev/shm", own("shm")],
  ["/run", { kind: "hidden-folder" }],
]);

/** The home folder, private to each sandbox: programs run settings that they find there. */
export const PRIVATE_HOME: Mount = { kind: "private", mode: "0700" };

/** Folders of the home folder where programs keep downloads, while the agent is open. */
export const PRIVATE_CACHES: Mounts = new Map<string, Mount>([
  [".cache", own("cache")],
  [".npm", own("npm")],
]);

/** The path of bubblewrap in a sandbox, independent of changes to its folder outside. */
export const BUBBLEWRAP_PATH = "/run/mdx-ai-bubblewrap";

interface PrivateFoldersOptions {
  readonly programs: SandboxPrograms;
  /** An existing folder. Absolute. */
  readonly mountPoint: string;
  readonly watch: Watch;
}

/**
 * Makes the folders that all sandboxes of an agent share and no other process sees. They exist until the returned process ends.
 * Rejects with the system's error.
 */
export function openPrivateFolders({ programs, mountPoint, watch }: PrivateFoldersOptions): Promise<Holder> {
  const folders = [...Object.entries(PRIVATE_FOLDERS), [NOTHING, "0555"] as const];
  const command = [
    ...[programs.bubblewrap, "--dev-bind", "/", "/", "--size", String(SHARED_BYTES), "--tmpfs", mountPoint],
    ...folders.flatMap(([name, mode]) => ["--perms", mode, "--dir", join(mountPoint, name)]),
    ...(isRoot() ? [] : ["--unshare-user", "--uid", "0", "--gid", "0"]),
    ...["--new-session", "--die-with-parent", "--cap-drop", "ALL", "--", "/bin/sh", "-c", HOLDING],
  ];
  return Holder.start(command, watch);
}
