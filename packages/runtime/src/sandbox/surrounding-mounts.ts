import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Environment } from "@mdx-ai/models";
import { isWithin } from "../files/real-place.ts";
import { isVariablesFile, RECORD_FOLDERS } from "../permissions/secret-names.ts";
import { secretPlaces } from "../permissions/secret-places.ts";
import type { Mount } from "./mounts.ts";

/** Where a sandbox stands. All absolute. */
export interface Surroundings {
  /** Real. */
  readonly agentDir: string;
  /** The same as the user names it. */
  readonly agentPath: string;
  /** Where the user stands. */
  readonly cwd: string;
  readonly environment: Environment;
  /** What the contained program needs to be seen: its executable, and its sources where it runs from those. */
  readonly program: readonly string[];
  /** A file without anything in it. */
  readonly emptyFile: string;
  /** Whether `.env` and its like are hidden, too. */
  readonly hidesVariables: boolean;
}

const GIBIBYTE = 1_073_741_824;

/** Folders of which a sandbox has its own: programs expect to write there, and others leave their sockets there. */
const OWN_FOLDERS: ReadonlyMap<string, Mount> = new Map<string, Mount>([
  ["/tmp", { kind: "private", bytes: GIBIBYTE }],
  ["/var/tmp", { kind: "private", bytes: GIBIBYTE }],
  ["/run", { kind: "hidden-folder" }],
]);

/** What of /run tells how names are resolved, and where programs are. */
const SHOWN_OF_RUN: readonly string[] = [
  ...["/run/systemd/resolve/stub-resolv.conf", "/run/systemd/resolve/resolv.conf", "/run/resolvconf/resolv.conf"],
  ...["/run/NetworkManager/resolv.conf", "/run/current-system", "/run/wrappers", "/run/booted-system"],
];

/** Folders beside an agent that are looked at for other agents, at most. */
const NEIGHBOURS = 500;

/** A line for each socket that is open on this machine; the name of one in the file system comes last. */
const NAMED = /^(?:\S+ +){6}\d+ (\/.*)$/;

/** What is hidden around an agent: folders of the system that others use, secrets, and what other agents recorded. */
export function surroundingMounts(surroundings: Surroundings): Map<string, Mount> {
  const { agentPath, cwd, environment, program, emptyFile } = surroundings;
  const mounts = new Map([...OWN_FOLDERS].filter(([folder]) => isFolder(folder)));
  const isHidden = (path: string): boolean => [...mounts.keys()].some((place) => isWithin(place, path));
  const isShown = (path: string): boolean =>
    [...mounts].some(([place, { kind }]) => kind === "read-only" && isWithin(place, path));
  /** Nothing is made where a link stands already, in a folder that is shown: then that folder alone must be found. */
  const lead = (path: string, real: string): void => {
    if (real === path || !isHidden(path)) return;
    const folder = realOf(dirname(path)) ?? dirname(path);
    if (isShown(join(folder, basename(path)))) lead(dirname(path), folder);
    else mounts.set(path, { kind: "link", target: real });
  };
  const show = (path: string): void => {
    const real = realOf(path);
    if (real === undefined) return;
    if (!mounts.has(real) && isHidden(real)) mounts.set(real, { kind: "read-only" });
    lead(path, real);
  };
  for (const path of [...SHOWN_OF_RUN, environment["HOME"] ?? "/", cwd, agentPath]) show(path);
  for (const place of hiddenPlaces(surroundings)) {
    if (!isHidden(place) || isShown(place))
      mounts.set(place, isFolder(place) ? { kind: "hidden-folder" } : { kind: "stand-in", source: emptyFile });
  }
  for (const path of program) show(path);
  return mounts;
}

function hiddenPlaces({ agentDir, cwd, environment, hidesVariables }: Surroundings): readonly string[] {
  const secrets = secretPlaces(environment).filter((place) => !/^\/(?:proc|dev|run|var\/run)\//.test(place));
  const variables = hidesVariables ? [agentDir, cwd].flatMap(variableFiles) : [];
  const neighbours = [dirname(agentDir), cwd].flatMap((folder) =>
    agentsIn(folder).filter((agent) => agent !== agentDir),
  );
  const records = neighbours.flatMap((agent) => RECORD_FOLDERS.map((name) => join(agent, name)));
  // The agent's own are for its tools to talk with each other.
  const sockets = socketPlaces().filter((path) => !isWithin(agentDir, path));
  const real = [...secrets, ...records, ...variables, ...sockets]
    .filter(isReadable)
    .flatMap((place) => realOf(place) ?? []);
  return [...new Set(real)].filter((place) => place !== agentDir && place !== "/");
}

const variableFiles = (folder: string): readonly string[] =>
  namesIn(folder)
    .filter(isVariablesFile)
    .map((name) => join(folder, name));

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // What this user may not look into, the sandbox may not either.
    return [];
  }
}

function agentsIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).slice(0, NEIGHBOURS);
    const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
    return folders.filter((path) => existsSync(join(path, "agent.mdx")));
  } catch {
    // What this user may not look into, the sandbox may not either.
    return [];
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Where programs listen in the file system: a folder that cannot be written to keeps nobody from connecting. Never throws. */
function socketPlaces(): readonly string[] {
  const names = openSockets().flatMap((line) => NAMED.exec(line)?.[1] ?? []);
  return [...new Set(names)].filter(isSocket);
}

function openSockets(): readonly string[] {
  try {
    return readFileSync("/proc/net/unix", "utf8").split("\n");
  } catch {
    return [];
  }
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSocket() ?? false;
  } catch {
    // What this user cannot get at, the sandbox cannot either.
    return false;
  }
}
