import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { findBun, ownBun, pinnedVersion, ROOT, versionOf } from "./find-bun.mjs";

/** The fingerprint of the last installation. */
const STAMP = join(ROOT, "node_modules", ".installed");

/** The clone could not be made ready; the message says why and what to do. */
export class SetupError extends Error {
  /** @override */
  name = "SetupError";
}

/**
 * Makes a clone ready: a Bun that serves, and the packages that bun.lock names. Costs next to nothing when all is in
 * place. Speaks on standard error alone.
 * @returns {string} the path of the Bun to use
 * @throws {SetupError}
 */
export function setUp() {
  const bun = findBun() ?? installBun();
  const wanted = fingerprint();
  if (installedFingerprint() !== wanted) installPackages(bun, wanted);
  return bun;
}

/**
 * Fetches Bun as a package and keeps its executable alone, in a folder that git ignores.
 * The package's install script is neither needed nor run.
 * @returns {string} its path
 */
function installBun() {
  const target = ownBun();
  console.error(`setup: installing Bun ${pinnedVersion()} from the package registry …`);
  mkdirSync(dirname(dirname(target)), { recursive: true });
  const workshop = mkdtempSync(join(dirname(dirname(target)), "install-"));
  try {
    writeFileSync(join(workshop, "package.json"), `{ "private": true }\n`);
    fetchPackage(workshop);
    const executable = workingExecutable(workshop);
    mkdirSync(dirname(target), { recursive: true });
    // A rename, so that a setup that runs at the same time never sees half a file.
    renameSync(executable, target);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
  return target;
}

/**
 * @param {string} folder
 */
function fetchPackage(folder) {
  const name = `bun@${pinnedVersion()}`;
  const npmFlags = [
    "install",
    name,
    "--no-package-lock",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const [command, ...args] =
    process.versions.bun !== undefined
      ? [process.execPath, "add", name, "--ignore-scripts", "--no-cache"]
      : [...npmCommand(), ...npmFlags, `--prefix=${folder}`];
  const { status, error } = spawnSync(String(command), args, { cwd: folder, stdio: ["ignore", 2, 2] });
  if (error !== undefined) throw new SetupError(`cannot run ${command} (${error.message}). Install npm or Bun.`);
  if (status !== 0) throw new SetupError(`${name} could not be installed. Is the package registry within reach?`);
}

/**
 * The npm that runs this script, else the one on PATH.
 * @returns {readonly string[]}
 */
function npmCommand() {
  const path = process.env["npm_execpath"] ?? "";
  return path.endsWith("npm-cli.js") ? [process.execPath, path] : ["npm"];
}

/**
 * The one executable under the platform packages that runs here.
 * @param {string} folder
 * @returns {string}
 */
function workingExecutable(folder) {
  const platforms = join(folder, "node_modules", "@oven");
  const candidates = (existsSync(platforms) ? readdirSync(platforms) : []).flatMap((name) => [
    join(platforms, name, "bin", "bun"),
    join(platforms, name, "bin", "bun.exe"),
  ]);
  const found = candidates.find((path) => existsSync(path) && versionOf(path) === pinnedVersion());
  if (found === undefined)
    throw new SetupError(`there is no Bun ${pinnedVersion()} for ${process.platform} ${process.arch}.`);
  return found;
}

/**
 * @param {string} bun
 * @param {string} wanted
 */
function installPackages(bun, wanted) {
  console.error("setup: installing packages …");
  const { status } = spawnSync(bun, ["install", "--frozen-lockfile"], { cwd: ROOT, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new SetupError("packages could not be installed. Is the package registry within reach?");
  writeFileSync(STAMP, wanted);
}

/**
 * Of everything that decides what `bun install` would do.
 * @returns {string}
 */
function fingerprint() {
  const packages = readdirSync(join(ROOT, "packages")).map((name) => join("packages", name, "package.json"));
  const hash = createHash("sha256");
  const folder = join(ROOT, "patches");
  const patches = existsSync(folder) ? readdirSync(folder).map((name) => join("patches", name)) : [];
  for (const file of ["bun.lock", "package.json", ...packages.sort(), ...patches.sort()]) {
    if (existsSync(join(ROOT, file))) hash.update(file).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest("hex");
}

/** @returns {string | undefined} */
function installedFingerprint() {
  return existsSync(STAMP) ? readFileSync(STAMP, "utf8") : undefined;
}
