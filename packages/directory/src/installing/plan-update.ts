import type { FrontEnd } from "../front-end.ts";
import { agentHome, type Shelf, versionFolder } from "../installed-agents.ts";
import { type Manifest, powerHash } from "../manifest/manifest.ts";
import { readPower } from "../manifest/read-power.ts";
import { readDirectory } from "../reading/read-directory.ts";
import { parseSource } from "../sources/index.ts";
import { compareVersions, type VersionDifference } from "./compare-versions.ts";
import { stagingFolder } from "./install-agent.ts";
import { type InstalledVersion, requireCurrent } from "./installed-version.ts";
import { movedVersion } from "./moved-version.ts";
import { type StagedAgent, stageAgent } from "./stage-agent.ts";

/** An update of an added agent that is fetched, but not installed. */
export interface PlannedUpdate {
  readonly name: string;
  readonly current: InstalledVersion;
  /** Its folder is the caller's to remove. */
  readonly staged: StagedAgent;
  /** Absent if the source has what is installed. */
  readonly difference?: VersionDifference;
  /** The version that the source names, if it now leads to other files. */
  readonly moved?: string;
}

export interface PlanOptions {
  readonly frontEnd: FrontEnd;
  readonly signal: AbortSignal;
}

/** Fetches what the source of an added agent has now, and compares it with what is installed. Runs nothing of it. Rejects as `stageAgent` does. */
export async function planUpdate(
  shelf: Shelf,
  name: string,
  { frontEnd, signal }: PlanOptions,
): Promise<PlannedUpdate> {
  const current = requireCurrent(shelf, name);
  const source = parseSource(current.source, frontEnd.currentDirectory);
  const staged = await stageAgent(source, { into: stagingFolder(shelf), frontEnd, signal });
  if (staged.version === current.version) return { name, current, staged };
  const before = versionFolder(agentHome(shelf, name), current.version);
  const agreed = { folder: before, manifest: await agreedManifest(before, current, frontEnd) };
  const moved = movedVersion(source, current.origin, staged.locked.origin);
  return {
    name,
    current,
    staged,
    difference: await compareVersions(agreed, staged),
    ...(moved !== undefined && { moved }),
  };
}

/** What the user agreed to: nothing, if the files are not the agreed ones any more. */
async function agreedManifest(
  folder: string,
  { trust }: InstalledVersion,
  frontEnd: FrontEnd,
): Promise<Pick<Manifest, "entries">> {
  const manifest = await readPower(await readDirectory(folder, { ...frontEnd, onNotice: () => {} }));
  return powerHash(manifest) === trust ? manifest : { entries: [] };
}
