import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { isWithin } from "@mdx-ai/base";
import {
  agentAround,
  agentIn,
  isAgentDirectory,
  isFileOrFolder,
  isFolder,
  pathWithin,
  realPathOrSame,
} from "@mdx-ai/base/disk";
import type { SandboxAccess } from "@mdx-ai/loop";
import { isClosedPath, isNeverGranted, recordsOf } from "./closed-paths.ts";
import { workspaceRoots } from "./default-decision.ts";
import { meaningOf } from "./defining-files.ts";
import { areFilesDenied, deniedPaths, isReadingDenied, isWritingDenied } from "./denied-paths.ts";
import type { PathContext, Permissions } from "./permissions.ts";
import { programFolders, secrecyOf, secretKindOf, secretMeaning } from "./secret-paths.ts";
import { meaningInWorkspace } from "./workspace-files.ts";

/** What the user may be asked to grant. */
export interface Grantable {
  readonly access: SandboxAccess;
  /** Why the command needs it, a line without a full stop. */
  readonly reason: string;
}

/**
 * What to ask the user to grant to a blocked command: a host; a file, or the folder to create it in; a hidden file or folder; or
 * running without the sandbox, if nothing narrower is enough. Undefined if it must stay blocked: writing a secret, a path that
 * the user denies, a path in a workspace that runs code automatically, or a path that no command needs to write; reading what
 * `isShowable` refuses; and running without a sandbox if one is required or the user denies some files.
 */
export function grantableFor(permissions: Permissions, command: string, wanted: SandboxAccess): Grantable | undefined {
  const reason = reasonOf(permissions, wanted);
  switch (wanted.kind) {
    case "host":
      return { access: wanted, reason };
    case "write": {
      if ([wanted.path, existingPath(wanted.path)].some((path) => isForbidden(permissions, path))) return undefined;
      const path = grantablePath(permissions, wanted.path);
      return path === undefined ? outside(permissions, command, reason) : { access: { kind: "write", path }, reason };
    }
    case "read":
      return isShowable(permissions, wanted.path) ? { access: wanted, reason } : undefined;
    case "outside":
      return outside(permissions, command, reason);
  }
}

/** Whether an earlier answer is still valid. */
export function isStillGrantable(permissions: Permissions, access: SandboxAccess): boolean {
  switch (access.kind) {
    case "host":
      return true;
    case "write":
      return grantablePath(permissions, access.path) === access.path && !isForbidden(permissions, access.path);
    case "read":
      return isShowable(permissions, access.path);
    case "outside":
      return mayLeave(permissions);
  }
}

/** Without a sandbox, a command could reach the files that the user denies. */
const mayLeave = (permissions: Permissions): boolean =>
  permissions.options.sandboxRequired !== true && !areFilesDenied(permissions);

const outside = (permissions: Permissions, command: string, reason: string): Grantable | undefined =>
  mayLeave(permissions) ? { access: { kind: "outside", command }, reason } : undefined;

/**
 * Whether a path is a secret, denied by the user, runs code automatically in a workspace, or is one that no command needs to
 * write.
 */
const isForbidden = (permissions: Permissions, path: string): boolean =>
  secrecyOf(path, permissions.places()) !== undefined ||
  isWritingDenied(permissions, path) ||
  runsOnItsOwn(permissions, path) ||
  isNeverGranted(permissions, path);

/** The repository may be above the workspace, with its git folder elsewhere. */
function runsOnItsOwn(permissions: Permissions, path: string): boolean {
  const roots = workspaceRoots(permissions.places());
  if (roots.length === 0 || roots.includes(path)) return false;
  const relative = roots.map((root) => pathWithin(root, path)).find((within) => within !== undefined);
  if (relative !== undefined) return meaningInWorkspace(relative) !== undefined;
  const ofGit = /\/\.git(?:\/.*)?$/.exec(path)?.[0];
  return ofGit !== undefined && meaningInWorkspace(ofGit) !== undefined;
}

/**
 * The path to grant so that a path can be written: the path itself, or the nearest existing folder. Undefined if it belongs to
 * this agent, another agent or the system, or contains a secret, the home folder, another agent or this agent's records.
 */
function grantablePath(permissions: Permissions, path: string): string | undefined {
  const place = existingPath(path);
  if (!isFileOrFolder(place) || contains(permissions, place) || isClosedPath(permissions, place)) return undefined;
  const { agentDir } = permissions.places();
  const isOfAgent = [agentDir, ...recordsOf(permissions)].some((folder) => isWithin(folder, place));
  return isOfAgent || otherAgentAt(permissions, place) !== undefined ? undefined : place;
}

/** Whether a folder contains files that must stay protected. Mounts protect them, but their parent folders could be moved away. */
function contains(permissions: Permissions, folder: string): boolean {
  const { agentDir, home, secrets } = permissions.places();
  if (secrets.some((place) => isWithin(folder.toLowerCase(), place))) return true;
  const held = [...(home === undefined ? [] : [home]), ...recordsOf(permissions)];
  // A mount point itself cannot be moved.
  if (folder !== dirname(agentDir)) held.push(agentDir);
  return held.some((place) => isWithin(folder, place));
}

/** The directory of another agent that a path is in or contains. */
function otherAgentAt(permissions: Permissions, place: string): string | undefined {
  const { agentDir } = permissions.places();
  return agentAround(place, agentDir) ?? agentIn(place, agentDir);
}

function existingPath(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : existingPath(dirname(path));
}

function reasonOf(permissions: Permissions, wanted: SandboxAccess): string {
  switch (wanted.kind) {
    case "host":
      return `the sandbox prevented reaching ${wanted.host}`;
    case "write": {
      const meaning = meaningIn(permissions.places(), wanted.path);
      const which = meaning === undefined ? otherAgentText(permissions, wanted.path) : `, which ${meaning}`;
      return `the sandbox prevented writing ${wanted.path}${which}`;
    }
    case "read":
      return `the sandbox hides ${shownPath(permissions, wanted)}`;
    case "outside":
      return "the sandbox prevented something that the command needs";
  }
}

/** A hidden path, the link that leads to it, and what secret it is. */
function shownPath(permissions: Permissions, { path, name }: Extract<SandboxAccess, { kind: "read" }>): string {
  const meaning = secretMeaning(path, permissions.places());
  const way = name === undefined ? "" : `, where ${name} leads`;
  return `${path}${way}${meaning === undefined ? "" : `: ${meaning}`}`;
}

function meaningIn({ agentDir, definingFiles }: PathContext, path: string): string | undefined {
  const relative = pathWithin(agentDir, path);
  return relative === undefined ? undefined : meaningOf(relative, definingFiles);
}

/** Which other agent a command could change by writing a path; "" if none. */
function otherAgentText(permissions: Permissions, path: string): string {
  const place = existingPath(path);
  const agent = isClosedPath(permissions, place) ? undefined : otherAgentAt(permissions, place);
  if (agent === undefined) return "";
  return isWithin(agent, place) ? `, which belongs to the agent ${agent}` : `, beside the agent ${agent}`;
}

/**
 * Whether the user may grant a hidden real path for reading: a file or folder in the home folder. Never the home folder itself, a
 * path that the rules deny, the user's mdx-ai files, the records of an agent, a folder of secrets, or a folder that contains an
 * agent. A single secret file may be granted: the question says what it is.
 */
function isShowable(permissions: Permissions, path: string): boolean {
  const { home } = permissions.places();
  if (home === undefined || path === home || !isWithin(home, path)) return false;
  if (!isFileOrFolder(path) || realPathOrSame(path) !== path) return false;
  if (isNeverGranted(permissions, path) || isDenied(permissions, path) || isKept(permissions, path)) return false;
  const secret = secretKindOf(path, permissions.places());
  return isFolder(path) ? secret === undefined && !containsAgent(permissions, path) : isNameable(secret);
}

const isDenied = (permissions: Permissions, path: string): boolean =>
  isReadingDenied(permissions, path) || deniedPaths(permissions, "read")?.deniesAllIn(path) === true;

/** Whether a path holds mdx-ai's settings, trust, approvals or caches, or the agent's records. */
function isKept(permissions: Permissions, path: string): boolean {
  const { agentDir, home } = permissions.places();
  const { environment } = permissions.options;
  // The variable HOME may be absent.
  const places = [...programFolders(environment), ...programFolders({ HOME: home })];
  const own = places.flatMap((place) => [place, realPathOrSame(place)]);
  return [...own, ...recordsOf(permissions), agentDir].some((place) => isWithin(place, path));
}

/** Whether showing a folder would show the records of an agent: a sandbox hides only records beside this agent. */
function containsAgent(permissions: Permissions, folder: string): boolean {
  const { agentDir } = permissions.places();
  const held = [agentDir, ...recordsOf(permissions)];
  if (held.some((place) => isWithin(folder, place))) return true;
  return isAgentDirectory(folder) || agentIn(folder, agentDir) !== undefined;
}

const isNameable = (secret: ReturnType<typeof secretKindOf>): boolean =>
  secret === undefined || secret === "secrets" || secret === "variables";
