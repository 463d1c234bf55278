import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The clone's root folder, absolute. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

const EXECUTABLE = process.platform === "win32" ? "bun.exe" : "bun";

/**
 * The version of Bun that package.json pins.
 * @returns {string}
 */
export function pinnedVersion() {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return manifest.packageManager.replace("bun@", "");
}

/**
 * The Bun that `scripts/setup.mjs` installs in the clone.
 * @returns {string}
 */
export const ownBun = () => join(ROOT, ".bun", pinnedVersion(), EXECUTABLE);

/**
 * A Bun that serves: the one that runs this script, the clone's own, or one on PATH; undefined where there is none.
 * @returns {string | undefined}
 */
export function findBun() {
  if (process.versions.bun !== undefined && serves(process.versions.bun)) return process.execPath;
  if (existsSync(ownBun())) return ownBun();
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  return folders
    .map((folder) => join(folder, EXECUTABLE))
    .find((path) => existsSync(path) && serves(versionOf(path) ?? ""));
}

/**
 * What the Bun at `path` calls its version; undefined for what is no working Bun.
 * @param {string} path
 * @returns {string | undefined}
 */
export function versionOf(path) {
  const { status, stdout } = spawnSync(path, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Whether a version is the pinned one or a later one of the same major number.
 * @param {string} version
 * @returns {boolean}
 */
function serves(version) {
  const [major = Number.NaN, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  const [pinnedMajor, pinnedMinor = 0, pinnedPatch = 0] = pinnedVersion().split(".").map(Number);
  if (major !== pinnedMajor) return false;
  return minor > pinnedMinor || (minor === pinnedMinor && patch >= pinnedPatch);
}
