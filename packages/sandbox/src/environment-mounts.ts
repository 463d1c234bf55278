import { accessSync, constants, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt, DATA_FOLDERS, type Environment, isWithin } from "@mdx-ai/base";
import { agentsIn, isFolder } from "@mdx-ai/base/disk";
import type { GrantedPaths } from "./granted-paths.ts";
import { type HomeQuestion, homeFolders, isNeeded } from "./homes.ts";
import { MountDraft, realOf } from "./mount-draft.ts";
import type { Mount } from "./mounts.ts";
import { PRIVATE_HOME, PRIVATE_MOUNTS } from "./private-folders.ts";
import { toolchainPaths } from "./toolchains.ts";
import type { Workspace } from "./workspace.ts";

/** The environment of an agent. All paths are absolute. */
export interface EnvironmentMountOptions extends HomeQuestion {
  /** Real. */
  readonly agentDir: string;
  /** The same directory as the user wrote it. */
  readonly agentPath: string;
  /** The user's working directory. */
  readonly cwd: string;
  readonly environment: Environment;
  /** The paths that the user's settings let the sandbox read and write, anywhere. Real. */
  readonly read?: readonly string[] | undefined;
  readonly write?: readonly string[] | undefined;
  /** The folder where the user lets commands and tools work. */
  readonly workspace?: Pick<Workspace, "folder" | "path" | "root" | "gitFolders"> | undefined;
  /** The paths that the user granted for one command. */
  readonly granted?: GrantedPaths | undefined;
  /** The files that the sandboxed program needs: its executable, and its sources if it runs from source. */
  readonly program: readonly string[];
  readonly emptyFile: string;
  /** Files and folders that are hidden, existing or not. */
  readonly secrets: readonly string[];
}

/** Paths in /run that name resolution and some systems' programs need. */
const SHOWN_OF_RUN: readonly string[] = [
  ...["/run/systemd/resolve/stub-resolv.conf", "/run/systemd/resolve/resolv.conf", "/run/resolvconf/resolv.conf"],
  ...["/run/NetworkManager/resolv.conf", "/run/current-system", "/run/wrappers", "/run/booted-system"],
];

/**
 * Folders of a home that hold only what package managers downloaded, and that these read without writing beside it, or whose
 * other folders `cacheVariables` moves.
 */
const DOWNLOADS: readonly string[] = [
  ...[".m2/repository", ".gradle/caches/modules-2", ".cargo/registry", ".cargo/git", "go/pkg/mod"],
];

const NONE: GrantedPaths = { read: [], write: [], names: [] };

/** The most folders beside an agent that are searched for other agents. */
const NEIGHBOURS = 500;

/**
 * Mounts the environment of an agent. Hides the home folders of people, except paths in the user's settings, toolchains, the
 * program and the agent; shared system folders; secrets; and the records of other agents. A sandbox cannot access files that this
 * user cannot.
 */
export function environmentMounts(options: EnvironmentMountOptions): Map<string, Mount> {
  const { agentDir, agentPath, cwd, environment, read = [], write = [], granted = NONE, program, secrets } = options;
  const { folder: work, path: workPath, root, gitFolders = [] } = options.workspace ?? {};
  const folders = [...PRIVATE_MOUNTS].filter(([folder]) => isFolder(folder));
  const draft = new MountDraft(new Map(folders), options.emptyFile);
  const homes = hideHomes(draft, options);
  const isOfHome = (path: string): boolean => homes.some((home) => isWithin(home, path));
  const standing = isOfHome(realOf(cwd) ?? cwd) ? [] : [cwd];
  const toolchains = toolchainPaths({ environment, homes, secrets, realOf: (path) => draft.realOf(path) });
  // Paths in the agent directory are shown with it.
  const isApart = (path: string | undefined): path is string =>
    path !== undefined && !isWithin(agentDir, realOf(path) ?? path);
  const ofWork = [workPath, root].filter(isApart);
  const shown = [
    ...SHOWN_OF_RUN,
    ...read,
    environment["HOME"] ?? "/",
    ...standing,
    ...ofWork,
    agentPath,
    ...toolchains,
    ...homes.flatMap((home) => DOWNLOADS.map((path) => join(home, path))),
  ];
  const writable = [...write, ...granted.write, ...(work === undefined ? [] : [work]), ...gitFolders];
  for (const path of writable) if (!isWithin(agentDir, path)) draft.show(path, "writable");
  for (const path of [...shown, ...granted.read]) draft.show(path);
  for (const path of [...shown, ...granted.names]) draft.lead(path);
  for (const place of hiddenPaths(draft, options)) draft.hide(place);
  for (const path of [agentPath, ...program]) draft.show(path);
  // A secret is shown if the settings name it, not just its parent folder. A folder of secrets is never granted.
  const named = (paths: readonly string[]): readonly string[] =>
    paths.filter((path) => !draft.isVisible(path) && existsSync(path));
  for (const path of named(write)) draft.mounts.set(path, { kind: "writable" });
  const files = granted.read.filter((path) => !isFolder(path));
  for (const path of named([...read, ...files])) draft.mounts.set(path, { kind: "read-only" });
  return draft.mounts;
}

/** Returns the hidden homes. A home stays visible if nothing could run without it, or if the settings name it. */
function hideHomes(draft: MountDraft, options: EnvironmentMountOptions): readonly string[] {
  const { agentDir, program, read = [], write = [] } = options;
  const shown = [agentDir, ...program, ...read, ...write];
  const isHidden = (home: string): boolean => !shown.some((path) => isWithin(path, home));
  const { own, others } = homeFolders(options);
  const [first, ...more] = own;
  const hidden = [...more, ...others].filter(isHidden);
  for (const home of hidden) draft.mounts.set(home, { kind: "hidden-folder" });
  if (first === undefined || !isHidden(first)) return hidden;
  draft.mounts.set(first, PRIVATE_HOME);
  return [first, ...hidden];
}

function hiddenPaths(
  draft: MountDraft,
  { agentDir, cwd, program, secrets }: EnvironmentMountOptions,
): readonly string[] {
  const neighbours = [dirname(agentDir), cwd]
    .filter((folder) => draft.isVisible(folder))
    .flatMap((folder) => agentsIn(folder, NEIGHBOURS).filter((agent) => agent !== agentDir));
  const records = neighbours.flatMap((agent) => DATA_FOLDERS.map((name) => join(agent, name)));
  const real = (places: readonly string[]): readonly string[] =>
    places
      // Most are in hidden folders already, so they need no search.
      .filter((place) => !OF_THE_KERNEL.test(place) && draft.isVisible(place) && isReadable(place))
      .flatMap((place) => realOf(place) ?? []);
  const found = [...real(secrets), ...real(records).filter((place) => !isNeeded(place, { agentDir, program }))];
  return [...new Set(found)].filter((place) => place !== agentDir && place !== "/");
}

/** The folders that are private to each sandbox, or empty in it. */
const OF_THE_KERNEL = /^\/(?:proc|dev|run|var\/run)\//;

const isReadable = (path: string): boolean => attempt(() => accessSync(path, constants.R_OK) ?? true) ?? false;
