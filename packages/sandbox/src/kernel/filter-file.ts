import { unnamedFile } from "../run-folder.ts";

/** The architectures with a filter, as `process.arch` names them. */
export type Architecture = "x64" | "arm64";

/** The architecture of this process; undefined if there is no filter for it. */
export function kernelArchitecture(): Architecture | undefined {
  const { arch, platform } = process;
  return platform === "linux" && (arch === "x64" || arch === "arm64") ? arch : undefined;
}

/**
 * An open file with a filter of system calls for `bwrap --seccomp`. With it the kernel denies accesses that mounts cannot deny.
 * Undefined if this system has no filter. The file has no name, so no other process can change it. `folder` is one that only the
 * user can access. Rejects with the file system's error.
 */
export async function filterFile(folder: string): Promise<number | undefined> {
  const architecture = kernelArchitecture();
  if (architecture === undefined) return undefined;
  const { SECCOMP_FILTERS } = await import("./seccomp-filters.ts");
  return unnamedFile(folder, Uint8Array.fromBase64(SECCOMP_FILTERS[architecture]));
}
