import { unnamedFile } from "../run-folder.ts";
import { kernelArchitecture } from "./syscall-numbers.ts";

/**
 * An open file with a filter of system calls, for `bwrap --seccomp`, by which a sandbox has the kernel deny accesses that mounts
 * cannot; undefined if this kernel has none. It has no name, so that nobody can change it. `folder` is one that only the user
 * can access. Rejects with the file system's error.
 */
export async function filterFile(folder: string): Promise<number | undefined> {
  const architecture = kernelArchitecture();
  if (architecture === undefined) return undefined;
  const { seccompFilter } = await import("./seccomp-filter.ts");
  return unnamedFile(folder, seccompFilter(architecture));
}
