import { unnamedFile } from "../run-folder.ts";
import { LEAST_LANDLOCK_ABI, landlockAbi } from "./landlock.ts";
import { landlockLauncher } from "./launcher.ts";
import { kernelArchitecture } from "./syscall-numbers.ts";

// Open files by which a sandbox has the kernel deny accesses that mounts cannot. They have no name, so that nobody can change
// them. `folder` is one that only the user can access.

/** A filter of system calls, for `bwrap --seccomp`; undefined if this kernel has none. Rejects with the file system's error. */
export async function filterFile(folder: string): Promise<number | undefined> {
  const architecture = kernelArchitecture();
  if (architecture === undefined) return undefined;
  const { seccompFilter } = await import("./seccomp-filter.ts");
  return unnamedFile(folder, seccompFilter(architecture));
}

/**
 * A program that runs a command under Landlock, as `landlockLauncher` makes it; undefined if this kernel has none. Rejects with the
 * file system's error.
 */
export async function launcherFile(folder: string): Promise<number | undefined> {
  const architecture = kernelArchitecture();
  if (architecture === undefined) return undefined;
  const abi = await landlockAbi();
  if (abi < LEAST_LANDLOCK_ABI) return undefined;
  return unnamedFile(folder, landlockLauncher(architecture, abi));
}
