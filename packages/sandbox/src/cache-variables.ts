import { join, resolve } from "node:path";
import type { Environment } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import { type Mounts, mountOf } from "./mounts.ts";

/** Where package managers keep what they download, in the folder of caches. Others keep it there, or in a folder of their own, by themselves. */
const DOWNLOADS: Readonly<Record<string, string>> = {
  CARGO_HOME: "cargo",
  GOMODCACHE: "go-mod",
};

/** Bun cannot use a cache that it cannot write, not even for packages that are in it. */
const ALWAYS: Readonly<Record<string, string>> = { BUN_INSTALL_CACHE_DIR: "bun-install" };

/** Folders of caches that a user may have moved to where commands cannot write. */
const MOVED: Readonly<Record<string, string>> = {
  XDG_CACHE_HOME: "",
  npm_config_cache: "npm",
  NPM_CONFIG_CACHE: "npm",
  PIP_CACHE_DIR: "pip",
  UV_CACHE_DIR: "uv",
  YARN_CACHE_FOLDER: "yarn",
  GOCACHE: "go-build",
};

interface CacheQuestion {
  /** The variables of the command. */
  readonly environment: Environment;
  readonly hasNetwork: boolean;
}

/**
 * Variables with which the package managers of a command use the sandbox's own folder of caches: their usual folders may be the user's,
 * which commands cannot write. Without a network, downloads that can be used without being written stay the user's, since those are then
 * the only source. None in a sandbox without such a folder.
 */
export function cacheVariables(
  mounts: Mounts,
  { environment, hasNetwork }: CacheQuestion,
): Readonly<Record<string, string>> {
  const [folder] = [...mounts].find(([, mount]) => mount.kind === "private" && mount.name === "cache") ?? [];
  if (folder === undefined) return {};
  const moved = Object.entries(MOVED).filter(([name]) => isOutOfReach(mounts, environment[name]));
  const led = [...Object.entries(ALWAYS), ...(hasNetwork ? Object.entries(DOWNLOADS) : []), ...moved];
  return Object.fromEntries(led.map(([name, path]) => [name, join(folder, path)]));
}

/** Whether a variable names a folder that commands cannot write. */
function isOutOfReach(mounts: Mounts, folder = ""): boolean {
  if (!folder.startsWith("/")) return false;
  const path = resolve(folder);
  // Links of the host are not in a private folder.
  if (mountOf(mounts, path)?.kind === "private") return false;
  return mountOf(mounts, realPathOrSame(path))?.kind !== "writable";
}
