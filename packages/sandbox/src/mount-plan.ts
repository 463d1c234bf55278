import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { DATA_FOLDERS, isWithin } from "@mdx-ai/base";
import { type FolderListings, programPaths, realPathOrSame, resolveRealPath } from "@mdx-ai/base/disk";
import { agentMounts } from "./agent-mounts.ts";
import type { SandboxOptions, SandboxRequest } from "./command-sandbox.ts";
import { environmentMounts } from "./environment-mounts.ts";
import { grantedPaths } from "./granted-paths.ts";
import { hideContents } from "./hidden-contents.ts";
import { MountDraft, pinFolders, realOf } from "./mount-draft.ts";
import type { Mount, Mounts } from "./mounts.ts";
import { namedPaths, narrowedMounts } from "./narrowed-mounts.ts";
import { PRIVATE_CACHES, PRIVATE_HOME } from "./private-folders.ts";
import { emptyFile } from "./run-folder.ts";
import type { Workspace } from "./workspace.ts";
import { type OpenPaths, protectWorkspace } from "./workspace-mounts.ts";
import type { WorkspaceContents } from "./workspace-search.ts";

/** The paths of an agent and its sandboxes. Absolute and real. */
export interface PlanPaths {
  readonly options: SandboxOptions;
  readonly agentDir: string;
  /** The folder that all sandboxes of the user share. */
  readonly folder: string;
  /** The folder listings of earlier plans of the agent. */
  readonly listings: FolderListings;
  readonly workspace?: Workspace | undefined;
  /** Whether a path exists only as a placeholder of a sandbox. */
  readonly isFree?: (path: string) => boolean;
}

/** The paths that a sandbox shows. */
export interface MountPlan {
  readonly shown: Map<string, Mount>;
  /** The paths in the agent directory and the workspace that must stay the same files. */
  readonly guarded: readonly string[];
  /** The other mounts in writable folders, which another sandbox may replace meanwhile. */
  readonly named: readonly string[];
  /** The paths that the user granted. */
  readonly granted: readonly string[];
}

/**
 * The mounts of a sandbox. Creates nothing: the folders that a tool declares for writing need not exist yet. Throws the file
 * system's error.
 */
export function mountPlan({ purpose, granted = [] }: SandboxRequest, places: PlanPaths): MountPlan {
  const { options, agentDir, folder, listings, workspace, isFree = () => false } = places;
  const { cwd, environment, definingFiles = [], policy, lists } = options;
  const ofUser = grantedPaths(granted, agentDir);
  const read = [...policy.read, ...ofUser.read];
  const write = [...policy.write, ...ofUser.write];
  const ofAgent = agentMounts({ agentDir, definingFiles, isProtected: lists.agent.isProtected, isFree });
  const program = programPaths();
  const around = environmentMounts({
    ...{
      agentDir,
      agentPath: options.agentDir,
      cwd,
      environment,
      read: policy.read,
      write: policy.write,
      granted: ofUser,
      workspace,
      secrets: lists.hide,
    },
    ...{ program, emptyFile: emptyFile(folder), accounts: options.accounts ?? "/etc/passwd" },
  });
  const shown = new Map([...ofAgent, ...around]).set(agentDir, ofAgent.get(agentDir) ?? { kind: "read-only" });
  const tool = typeof purpose === "string" || purpose.files === undefined ? undefined : purpose;
  const named = tool?.files && namedPaths(agentDir, tool.files);
  const draft = new MountDraft(shown, emptyFile(folder));
  draft.hold(dirname(agentDir));
  keepPaths(draft, { around, readOnly: lists.readOnly });
  for (const folder of dataFolders(options.dataDir, shown)) draft.protect(folder);
  const ofWork = workPlan(draft, workspace, { open: [agentDir, ...write], isFree });
  hideContents(draft, {
    ...{
      agentDir,
      dataDir: options.dataDir ?? agentDir,
      program,
      denied: options.denied?.(),
      hideNamed: lists.hideNamed,
    },
    folders: [realPathOrSame(cwd), ...ofWork.around, ...read, ...write],
    workspace: ofWork.searched,
    named: [...read, ...write, ...(named?.read ?? []), ...(named?.written ?? [])],
    code: purpose === "shell" ? [] : definingFiles.map((file) => realPathOrSame(join(agentDir, file))),
    list: listings.look(),
    isFree,
    onWarning: options.onWarning ?? (() => {}),
  });
  const mounts =
    tool && named
      ? narrowedMounts(draft, {
          agentDir,
          folders: [cwd, ...ofWork.folders],
          environment,
          code: tool.code,
          named,
          program,
        })
      : shown;
  if (purpose === "shell") addCaches(mounts);
  // The locks in it decide which files of an agent are trusted.
  new MountDraft(mounts, emptyFile(folder)).hide(folder);
  pinFolders(mounts);
  const isOpen = (place: string): boolean =>
    [agentDir, ...write, ...ofWork.folders].some((folder) => folder !== place && isWithin(folder, place)) &&
    !ofAgent.has(place);
  const isNamed = ([place, { kind }]: readonly [string, Mount]): boolean =>
    (kind === "read-only" || kind === "writable") && isOpen(place);
  const isMounted = (place: string, kinds: readonly (Mount["kind"] | undefined)[]): boolean =>
    kinds.includes(mounts.get(place)?.kind);
  const ofOthers = [...mounts].filter(isNamed).map(([place]) => place);
  return {
    ...{ shown: mounts, guarded: [...ofAgent.keys(), ...ofWork.guarded], named: ofOthers },
    granted: [
      // Hidden paths cannot be granted for writing.
      ...ofUser.write.filter((place) => isMounted(place, ["writable"])),
      ...ofUser.read.filter((place) => !ofUser.write.includes(place) && isMounted(place, ["read-only", "writable"])),
    ],
  };
}

/** A workspace's part of a plan. */
interface WorkPlan {
  /** The writable folders. */
  readonly folders: readonly string[];
  /** Their parent folders that may be read. */
  readonly around: readonly string[];
  readonly guarded: readonly string[];
  /** The result of searching the workspace. */
  readonly searched?: { readonly folder: string; readonly contents: WorkspaceContents };
}

function workPlan(draft: MountDraft, workspace: Workspace | undefined, paths: OpenPaths): WorkPlan {
  if (workspace === undefined) return { folders: [], around: [], guarded: [] };
  const { folder, gitFolders, root } = workspace;
  return {
    folders: [folder, ...gitFolders],
    around: root === undefined ? [] : [root],
    guarded: protectWorkspace(draft, workspace, paths),
    searched: { folder, contents: workspace.kept.contents },
  };
}

interface Kept {
  readonly around: Mounts;
  readonly readOnly: readonly string[];
}

/**
 * Keeps hidden paths in the agent directory from being moved away, and files that mdx-ai trusts at its next start from being
 * written.
 */
function keepPaths(draft: MountDraft, { around, readOnly }: Kept): void {
  for (const place of around.keys()) draft.hold(dirname(place));
  for (const place of readOnly.flatMap((path) => realOf(path) ?? [])) draft.protect(place);
}

/** Tools have no shared private folders: files that commands put there would run in them. */
function addCaches(mounts: Map<string, Mount>): void {
  const [home] = [...mounts].find(([, mount]) => mount === PRIVATE_HOME) ?? [];
  if (home === undefined) return;
  for (const [name, cache] of PRIVATE_CACHES) if (!mounts.has(join(home, name))) mounts.set(join(home, name), cache);
}

/** The visible folders of a separate data directory: a tool that may write around them must not write in them. */
function dataFolders(dataDir: string | undefined, shown: Mounts): readonly string[] {
  if (dataDir === undefined) return [];
  const isVisible = (path: string): boolean => {
    const around = [...shown].filter(([place]) => isWithin(place, path)).toSorted(([a], [b]) => b.length - a.length);
    const kind = around[0]?.[1].kind ?? "read-only";
    return kind === "read-only" || kind === "writable";
  };
  return DATA_FOLDERS.map((name) => join(dataDir, name))
    .filter((path) => existsSync(path))
    .map(resolveRealPath)
    .filter((path) => !shown.has(path) && isVisible(path));
}
