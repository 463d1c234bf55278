import { existsSync } from "node:fs";
import type { FrontEnd } from "../front-end.ts";
import { agentHome, currentVersion, type Shelf, versionFolder } from "../installed-agents.ts";
import { powerHash } from "../manifest/manifest.ts";
import { readPower } from "../manifest/read-power.ts";
import { readDirectory } from "../reading/read-directory.ts";
import { hashTree } from "../sources/index.ts";
import { type LockedAgent, readAgentsLock } from "./agents-lock.ts";
import { readVersion } from "./installed-version.ts";

/** Whether an added agent is what its lock file names. */
export interface VerifiedAgent {
  readonly name: string;
  /** Absolute; absent if it is not installed. */
  readonly path?: string;
  /** What is wrong; empty if nothing is. */
  readonly problems: readonly string[];
}

/** Compares the added agents of a shelf with its lock file. Runs nothing. Rejects with `DirectoryError` ("lock") if that is broken. */
export async function verifyAgents(
  shelf: Shelf,
  names: readonly string[],
  frontEnd: FrontEnd,
): Promise<readonly VerifiedAgent[]> {
  const locked = [...readAgentsLock(shelf)].filter(([name]) => names.length === 0 || names.includes(name));
  const verified: VerifiedAgent[] = [];
  for (const [name, agent] of locked) verified.push(await verify(shelf, name, agent, frontEnd));
  return verified;
}

async function verify(shelf: Shelf, name: string, locked: LockedAgent, frontEnd: FrontEnd): Promise<VerifiedAgent> {
  const home = agentHome(shelf, name);
  const version = currentVersion(home);
  const path = version === undefined ? undefined : versionFolder(home, version);
  if (version === undefined || path === undefined || !existsSync(path)) {
    return { name, problems: ["it is not installed; install it with mdx-ai add --frozen"] };
  }
  const record = readVersion(home, version);
  if (record === undefined) return { name, path, problems: ["its record is broken; add it again"] };
  if (record.hash !== locked.hash || record.trust !== locked.trust) {
    return { name, path, problems: [`the lock file names ${locked.hash}, but ${record.hash} is installed; install what it names with mdx-ai add --frozen`] }; // biome-ignore format: short
  }
  return { name, path, problems: await changesOf(path, locked, frontEnd) };
}

async function changesOf(path: string, { hash, trust }: LockedAgent, frontEnd: FrontEnd): Promise<readonly string[]> {
  const found = await hashTree(path).catch(
    (error: unknown) => `unreadable (${error instanceof Error ? error.message : String(error)})`,
  );
  const manifest = await readPower(await readDirectory(path, { ...frontEnd, onNotice: () => {} }));
  const agreed = powerHash(manifest);
  return [
    ...(found === hash ? [] : [`its files have changed: ${found}, not ${hash}`]),
    ...(agreed === trust ? [] : [`what it may do has changed: ${agreed}, not ${trust}`]),
  ];
}
