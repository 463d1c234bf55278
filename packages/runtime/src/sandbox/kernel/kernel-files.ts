import { lstatSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LEAST_LANDLOCK_ABI, landlockAbi } from "./landlock.ts";
import { landlockLauncher } from "./launcher.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import { kernelArchitecture } from "./syscall-numbers.ts";

/** Files by which a sandbox has the kernel deny what mounts cannot. Absolute; absent where this kernel has no such layer. */
export interface KernelFiles {
  /** A filter of system calls, for `bwrap --seccomp`. */
  readonly filter?: string;
  /** A program that runs a command under Landlock, as `landlockLauncher` makes it. */
  readonly launcher?: string;
}

/** Writes the files to a folder that only the user can access. Rejects with the file system's error. */
export async function kernelFiles(folder: string): Promise<KernelFiles> {
  const architecture = kernelArchitecture();
  if (architecture === undefined) return {};
  const abi = await landlockAbi();
  return {
    filter: written(folder, "filter", seccompFilter(architecture)),
    ...(abi >= LEAST_LANDLOCK_ABI && { launcher: written(folder, "launcher", landlockLauncher(architecture, abi)) }),
  };
}

/** The path of a file with this content; other versions of this program have other names. */
function written(folder: string, name: string, content: Uint8Array): string {
  const hash = new Bun.CryptoHasher("sha256").update(content).digest("hex").slice(0, 16);
  const path = join(folder, `${name}-${hash}`);
  if (lstatSync(path, { throwIfNoEntry: false })?.size !== content.length)
    writeFileSync(path, content, { mode: 0o600 });
  return path;
}
