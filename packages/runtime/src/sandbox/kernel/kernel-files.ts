import { unnamedFile } from "../run-folder.ts";
import { LEAST_LANDLOCK_ABI, landlockAbi } from "./landlock.ts";
import { landlockLauncher } from "./launcher.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import { kernelArchitecture } from "./syscall-numbers.ts";

/**
 * Open files by which a sandbox has the kernel deny accesses that mounts cannot; absent if this kernel has no such layer. They have
 * no name, so that nobody can change them.
 */
export interface KernelFiles {
  /** A filter of system calls, for `bwrap --seccomp`. */
  readonly filter?: number;
  /** A program that runs a command under Landlock, as `landlockLauncher` makes it. */
  readonly launcher?: number;
}

/** `folder` is one that only the user can access. Rejects with the file system's error. */
export async function kernelFiles(folder: string): Promise<KernelFiles> {
  const architecture = kernelArchitecture();
  if (architecture === undefined) return {};
  const abi = await landlockAbi();
  return {
    filter: unnamedFile(folder, seccompFilter(architecture)),
    ...(abi >= LEAST_LANDLOCK_ABI && { launcher: unnamedFile(folder, landlockLauncher(architecture, abi)) }),
  };
}
