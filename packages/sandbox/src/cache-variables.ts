import { dirname, join, resolve } from "node:path";
import type { Environment } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import { type Mounts, mountOf } from "./mounts.ts";

/**
 * The folders, in the folder of caches, where these package managers keep downloads. Other package managers use that folder, or a
 * private one, by default.
 */
const DOWNLOADS: Readonly<Record<string, string>> = {
  CARGO_HOME: "cargo",
  GOMODCACHE: "go-mod",
};

/** Bun cannot use a read-only cache, not even for packages that it contains. */
const ALWAYS: Readonly<Record<string, string>> = { BUN_INSTALL_CACHE_DIR: "bun-install" };

/** Variables by which a user may have moved a cache to a path that commands cannot write. */
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
  /** The environment variables of the command. */
  readonly environment: Environment;
  readonly hasNetwork: boolean;
}

/**
 * Variables that make the package managers of a command use the sandbox's folder of caches, since commands cannot write to the
 * user's caches. Without a network, caches that work read-only stay the user's, as they are the only source. Returns none for a
 * sandbox without such a folder.
 */
export function cacheVariables(
  mounts: Mounts,
  { environment, hasNetwork }: CacheQuestion,
): Readonly<Record<string, string>> {
  const [folder] = [...mounts].find(([, mount]) => mount.kind === "private" && mount.name === "cache") ?? [];
  if (folder === undefined) return {};
  const moved = Object.entries(MOVED).filter(([name]) => isOutOfReach(mounts, environment[name]));
  const led = [...Object.entries(ALWAYS), ...(hasNetwork ? Object.entries(DOWNLOADS) : []), ...moved];
  return {
    ...Object.fromEntries(led.map(([name, path]) => [name, join(folder, path)])),
    ...javaVariables(mounts, { folder, environment, hasNetwork }),
  };
}

/** Variables for package managers that read downloads of the user from a second, read-only folder. */
function javaVariables(
  mounts: Mounts,
  { folder, environment, hasNetwork }: CacheQuestion & { readonly folder: string },
): Readonly<Record<string, string>> {
  const shown = (path: string): string | undefined =>
    [...mounts].find(([place, { kind }]) => kind === "read-only" && place.endsWith(path))?.[0];
  const [maven, gradle] = [shown("/.m2/repository"), shown("/.gradle/caches/modules-2")];
  const options = `-Dmaven.repo.local=${join(folder, "m2")} -Dmaven.repo.local.tail=${maven}`;
  return {
    // Maven itself reads a repository that it cannot write, but cannot add to it.
    ...(maven && hasNetwork && { MAVEN_OPTS: `${environment["MAVEN_OPTS"] ?? ""} ${options}`.trim() }),
    ...(gradle && { GRADLE_USER_HOME: join(folder, "gradle"), GRADLE_RO_DEP_CACHE: dirname(gradle) }),
  };
}

/** Whether a variable names a folder that commands cannot write to. */
function isOutOfReach(mounts: Mounts, folder = ""): boolean {
  if (!folder.startsWith("/")) return false;
  const path = resolve(folder);
  // Private folders do not contain the host's links.
  if (mountOf(mounts, path)?.kind === "private") return false;
  return mountOf(mounts, realPathOrSame(path))?.kind !== "writable";
}
