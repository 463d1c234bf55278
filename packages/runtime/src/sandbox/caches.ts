import { join } from "node:path";
import type { Mounts } from "./mounts.ts";

/** Where package managers keep what they download, in the folder of caches. Others keep it there, or in a folder of their own, by themselves. */
const CACHES: Readonly<Record<string, string>> = {
  BUN_INSTALL_CACHE_DIR: "bun-install",
  CARGO_HOME: "cargo",
  GOMODCACHE: "go-mod",
};

/**
 * Variables with which the package managers of a command download into the sandbox's own folder of caches: their usual folders may
 * be the user's, which are shown read-only since programs are in them. None without a network, since those are then the only
 * source; nor in a sandbox without such a folder.
 */
export function cacheVariables(
  mounts: Mounts,
  { hasNetwork }: { readonly hasNetwork: boolean },
): Record<string, string> {
  const [folder] = [...mounts].find(([, mount]) => mount.kind === "private" && mount.name === "cache") ?? [];
  if (folder === undefined || !hasNetwork) return {};
  return Object.fromEntries(Object.entries(CACHES).map(([name, path]) => [name, join(folder, path)]));
}
