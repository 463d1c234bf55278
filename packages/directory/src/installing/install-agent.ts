import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { draftName, realPathOrSame, removeTempFiles } from "@mdx-ai/base/disk";
import { withLock } from "@mdx-ai/base/locks";
import { DirectoryError } from "../directory-error.ts";
import type { FrontEnd } from "../front-end.ts";
import { agentHome, currentVersion, type Shelf, versionFolder } from "../installed-agents.ts";
import { powerHash } from "../manifest/manifest.ts";
import { hashTree } from "../sources/index.ts";
import { forgetTrusted, keepTrustOf } from "../trust/trust-state.ts";
import { type LockedAgents, readAgentsLock, writeAgentsLock } from "./agents-lock.ts";
import {
  type InstalledVersion,
  makeHome,
  readVersion,
  requireCurrent,
  switchTo,
  writeVersion,
} from "./installed-version.ts";
import { pruneVersions } from "./prune-versions.ts";
import { makeReadOnly, makeWritable, removeTree } from "./read-only-tree.ts";
import { type AddedAgent, readAdded, type StagedAgent } from "./stage-agent.ts";

/** The beginning of the names of folders that are not installed yet. No agent has such a name. */
const DRAFT = ".staged";

/** A new path beside the agents of a shelf, for an agent that may become one of them. Removes what ended processes left there. */
export function stagingFolder({ folder }: Shelf): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeTempFiles(folder, ".");
  return join(folder, draftName(DRAFT));
}

/**
 * Makes a staged agent, to whose power the user agreed, the current version of an added agent; returns its directory. Whenever the process
 * is killed, the agent is the one of before or the new one. Rejects with `DirectoryError`, `LockHeldError` or the file system's error.
 */
export async function installAgent(
  shelf: Shelf,
  name: string,
  staged: StagedAgent,
  frontEnd: FrontEnd,
): Promise<string> {
  const home = agentHome(shelf, name);
  makeHome(home);
  return withLock(join(home, ".lock"), async () => {
    const folder = versionFolder(home, staged.version);
    const { directory, manifest } = await moveTo(folder, staged, frontEnd);
    const before = currentVersion(home);
    const previous = before === staged.version ? readVersion(home, before)?.previous : before;
    writeVersion(home, {
      ...staged.locked,
      version: staged.version,
      since: new Date().toISOString(),
      ...(previous !== undefined && { previous }),
    });
    await keepTrustOf(directory, manifest, frontEnd);
    switchTo(home, staged.version);
    await changeLock(shelf, (agents) => agents.set(name, staged.locked));
    await pruneVersions(home, [staged.version, previous], frontEnd);
    return folder;
  });
}

/**
 * A version that is there already is kept if it is the same: a prompt may use it. Rejects with `DirectoryError` ("invalid") if the agent
 * reads differently here than where it was checked.
 */
async function moveTo(folder: string, staged: StagedAgent, frontEnd: FrontEnd): Promise<AddedAgent> {
  if (existsSync(folder)) {
    const found = await readSame(folder, staged, frontEnd).catch(() => undefined);
    if (found !== undefined) {
      makeReadOnly(folder);
      return found;
    }
    makeWritable(folder);
    renameSync(folder, `${folder}.damaged-${crypto.randomUUID().slice(0, 8)}`);
  }
  renameSync(staged.folder, folder);
  makeReadOnly(folder);
  const found = await readSame(folder, staged, frontEnd).catch(() => undefined);
  if (found !== undefined) return found;
  removeTree(folder);
  throw new DirectoryError("invalid", "the agent reads differently in another folder than where it was checked");
}

/** Undefined if it is not what was checked. */
async function readSame(
  folder: string,
  { locked, power }: StagedAgent,
  frontEnd: FrontEnd,
): Promise<AddedAgent | undefined> {
  if ((await hashTree(folder)) !== locked.hash) return undefined;
  const added = await readAdded(folder, { ...frontEnd, onNotice: () => {} }, new AbortController().signal);
  return powerHash(added.manifest) === power.hash ? added : undefined;
}

/** Changes a lock file under a lock. */
async function changeLock(
  shelf: Shelf,
  change: (agents: Map<string, LockedAgents extends ReadonlyMap<string, infer Agent> ? Agent : never>) => unknown,
): Promise<void> {
  await withLock(join(shelf.folder, ".lock"), () => {
    const agents = new Map(readAgentsLock(shelf));
    change(agents);
    writeAgentsLock(shelf, agents);
  });
}

/** Writes a version, which is the current one now, into the lock file. */
const lockCurrent = (
  shelf: Shelf,
  name: string,
  { version: _version, since: _since, previous: _previous, ...locked }: InstalledVersion,
): Promise<void> => changeLock(shelf, (agents) => agents.set(name, locked));

/**
 * Returns to the version before the current one; resolves to it. Sessions, state and logs stay as they are. Rejects with `DirectoryError`
 * ("source") if there is none.
 */
export async function rollbackAgent(
  shelf: Shelf,
  name: string,
): Promise<{ readonly from: string; readonly to: string }> {
  const current = requireCurrent(shelf, name);
  const home = agentHome(shelf, name);
  return withLock(join(home, ".lock"), async () => {
    const { previous } = current;
    const record = previous === undefined ? undefined : readVersion(home, previous);
    if (record === undefined || !existsSync(versionFolder(home, record.version))) {
      throw new DirectoryError("source", `${name} has no version before this one`);
    }
    switchTo(home, record.version);
    await lockCurrent(shelf, name, record);
    return { from: current.version, to: record.version };
  });
}

/** Writes the current version of an agent into the lock file, if a kill came between its link and that. Rejects as `installAgent` does. */
export async function completeInstall(shelf: Shelf, name: string): Promise<void> {
  const current = requireCurrent(shelf, name);
  if (readAgentsLock(shelf).get(name)?.hash !== current.hash) await lockCurrent(shelf, name, current);
}

/** Removes an added agent with its versions, and the trust in them. Its sessions, state and logs stay. */
export async function removeAgent(shelf: Shelf, name: string, frontEnd: FrontEnd): Promise<void> {
  const home = agentHome(shelf, name);
  if (!existsSync(home) && !readAgentsLock(shelf).has(name)) requireCurrent(shelf, name);
  const real = realPathOrSame(home);
  await changeLock(shelf, (agents) => agents.delete(name));
  const gone = stagingFolder(shelf);
  if (existsSync(home)) {
    makeWritable(home);
    renameSync(home, gone);
    removeTree(gone);
  }
  await forgetTrusted([real], frontEnd);
}
