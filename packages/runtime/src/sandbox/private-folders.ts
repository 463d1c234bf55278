import { join } from "node:path";
import { HOLDING, Holder, isRoot, type SandboxPrograms, type Watch } from "./holder.ts";

/** The bytes that all private folders of an agent's sandboxes may hold together. */
export const MOST_BYTES = 1_073_741_824;

/** The folders that sandboxes have of their own, by their absolute paths there, with the names of what they show. */
export const PRIVATE_FOLDERS: ReadonlyMap<string, string> = new Map([
  ["/tmp", "tmp"],
  ["/var/tmp", "var-tmp"],
  ["/dev/shm", "shm"],
]);

/**
 * Makes the folders that all sandboxes of an agent share and nobody else sees: they are in memory, and last as long as the
 * returned process. `mountPoint` is an absolute path of an existing folder. Rejects with the system's error.
 */
export function openPrivateFolders(programs: SandboxPrograms, mountPoint: string, watch: Watch): Promise<Holder> {
  const folders = [...PRIVATE_FOLDERS.values()].flatMap((name) => ["--perms", "1777", "--dir", join(mountPoint, name)]);
  const command = [
    ...[programs.bubblewrap, "--dev-bind", "/", "/", "--size", String(MOST_BYTES), "--tmpfs", mountPoint, ...folders],
    ...(isRoot() ? [] : ["--unshare-user", "--uid", "0", "--gid", "0"]),
    ...["--new-session", "--die-with-parent", "--cap-drop", "ALL", "--", "/bin/sh", "-c", HOLDING],
  ];
  return Holder.start(command, watch);
}
