import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Environment } from "@mdx-ai/models";
import { attempt } from "../attempt.ts";
import { isWithin } from "../files/real-place.ts";
import { DATA_FOLDERS } from "../layout.ts";
import { isVariablesFile, secretPlaces } from "../permissions/secret-places.ts";
import type { Mount } from "./mounts.ts";
import { PRIVATE_FOLDERS } from "./private-folders.ts";

/** What is around an agent. All paths are absolute. */
export interface Surroundings {
  /** Real. */
  readonly agentDir: string;
  /** The same directory as the user names it. */
  readonly agentPath: string;
  /** The user's working directory. */
  readonly cwd: string;
  readonly environment: Environment;
  /** What the contained program must see: its executable, and its sources if it runs from source. */
  readonly program: readonly string[];
  readonly emptyFile: string;
  /** Whether `.env` and similar files are hidden too. */
  readonly hidesVariables: boolean;
}

/** Folders that each sandbox has of its own: programs expect to write there, and other programs put their sockets there. */
const OWN_FOLDERS: ReadonlyMap<string, Mount> = new Map<string, Mount>([
  ...[...PRIVATE_FOLDERS].map(([path, name]) => [path, { kind: "private", name }] as const),
  ["/run", { kind: "hidden-folder" }],
]);

/** Paths in /run that name resolution and some systems' programs need. */
const SHOWN_OF_RUN: readonly string[] = [
  ...["/run/systemd/resolve/stub-resolv.conf", "/run/systemd/resolve/resolv.conf", "/run/resolvconf/resolv.conf"],
  ...["/run/NetworkManager/resolv.conf", "/run/current-system", "/run/wrappers", "/run/booted-system"],
];

/** How many folders beside an agent are searched for other agents. */
const NEIGHBOURS = 500;

/** A line of /proc/net/unix; the path of a socket in the file system comes last. */
const NAMED = /^(?:\S+ +){6}\d+ (\/.*)$/;

/**
 * What is hidden around an agent: shared folders of the system, secrets, and the records of other agents. What this user cannot
 * read or reach, a sandbox cannot either.
 */
export function surroundingMounts(surroundings: Surroundings): Map<string, Mount> {
  const { agentPath, cwd, environment, program, emptyFile } = surroundings;
  const mounts = new Map([...OWN_FOLDERS].filter(([folder]) => isFolder(folder)));
  const isHidden = (path: string): boolean => [...mounts.keys()].some((place) => isWithin(place, path));
  const isShown = (path: string): boolean =>
    [...mounts].some(([place, { kind }]) => kind === "read-only" && isWithin(place, path));
  /** Creates no link that exists already in a folder that is shown: then only that folder must be reachable. */
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
  const records = neighbours.flatMap((agent) => DATA_FOLDERS.map((name) => join(agent, name)));
  // Sockets in the agent directory are for its tools to talk to each other.
  const sockets = socketPlaces().filter((path) => !isWithin(agentDir, path));
  const real = [...secrets, ...records, ...variables, ...sockets]
    .filter(isReadable)
    .flatMap((place) => realOf(place) ?? []);
  return [...new Set(real)].filter((place) => place !== agentDir && place !== "/");
}

const variableFiles = (folder: string): readonly string[] =>
  (attempt(() => readdirSync(folder)) ?? []).filter(isVariablesFile).map((name) => join(folder, name));

function agentsIn(folder: string): readonly string[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries
    .slice(0, NEIGHBOURS)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .filter((path) => existsSync(join(path, "agent.mdx")));
}

const isReadable = (path: string): boolean => attempt(() => accessSync(path, constants.R_OK) ?? true) ?? false;

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const realOf = (path: string): string | undefined => attempt(() => realpathSync.native(path));

/** The paths of open sockets: a read-only mount does not prevent connecting to them. Never throws. */
function socketPlaces(): readonly string[] {
  const lines = attempt(() => readFileSync("/proc/net/unix", "utf8").split("\n")) ?? [];
  const names = lines.flatMap((line) => NAMED.exec(line)?.[1] ?? []);
  return [...new Set(names)].filter((path) => attempt(() => lstatSync(path).isSocket()));
}
