import { rmSync } from "node:fs";
import { sha256 } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import type { AgentDirectory } from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import type { FrontEnd } from "../front-end.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { type Power, powerOf } from "../manifest/power.ts";
import { readPower } from "../manifest/read-power.ts";
import { readRunnable } from "../reading/read-directory.ts";
import { fetchSource, type Origin, type Source, sourceText } from "../sources/index.ts";
import { problemsOfAdded } from "./added-rules.ts";
import type { LockedAgent } from "./agents-lock.ts";
import { installPackages } from "./install-packages.ts";

export interface StageOptions {
  /** The folder to make. Absolute; it must not exist. */
  readonly into: string;
  readonly frontEnd: FrontEnd;
  readonly signal: AbortSignal;
  /** The agent must be the one of this lock. */
  readonly locked?: LockedAgent | undefined;
}

/** An agent that may be added, as it was read. */
export interface AddedAgent {
  readonly directory: AgentDirectory;
  readonly manifest: Manifest;
}

/** An agent that was fetched and checked, but never ran. */
export interface StagedAgent extends AddedAgent {
  /** Absolute. */
  readonly folder: string;
  readonly locked: LockedAgent;
  /** Names this state of its files and packages: 64 hexadecimal digits. */
  readonly version: string;
  /** Parts of the source that are never part of an agent. */
  readonly leftOut: readonly string[];
  readonly power: Power;
}

/**
 * Fetches an agent into a new folder with the packages that it imports, and finds what it may do. Runs nothing of it. Rejects with
 * `DirectoryError` if it cannot be fetched, has mistakes, may not be added, or is not the locked one; nothing is left then.
 */
export async function stageAgent(source: Source, options: StageOptions): Promise<StagedAgent> {
  const { into, frontEnd } = options;
  const named = (text: string): string => text.replaceAll(realPathOrSame(into), sourceText(source)).replaceAll(into, sourceText(source)); // biome-ignore format: short
  try {
    return await staged(source, { ...options, frontEnd: withNames(frontEnd, named) });
  } catch (error) {
    rmSync(into, { recursive: true, force: true });
    if (!(error instanceof DirectoryError)) throw error;
    throw new DirectoryError(error.problem, named(error.message), { cause: error });
  }
}

/** The folder of an agent that is not added yet means nothing to its user, who knows the source. */
const withNames = (frontEnd: FrontEnd, named: (text: string) => string): FrontEnd => ({
  ...frontEnd,
  onNotice: (notice) => {
    if (notice.type === "note" || notice.type === "warning")
      return frontEnd.onNotice({ ...notice, text: named(notice.text) });
    if (notice.type !== "diagnostics_found") return frontEnd.onNotice(notice);
    const { directory } = notice;
    frontEnd.onNotice({ ...notice, directory: { ...directory, path: named(directory.path), realPath: named(directory.realPath) } }); // biome-ignore format: short
  },
});

async function staged(source: Source, { into, frontEnd, signal, locked }: StageOptions): Promise<StagedAgent> {
  const pinned = locked === undefined ? {} : { pinned: locked.origin };
  const { folder, origin, hash, leftOut } = await fetchSource(source, {
    ...{ into, signal, environment: frontEnd.environment, currentDirectory: frontEnd.currentDirectory },
    ...pinned,
  });
  const text = sourceText(source);
  if (locked !== undefined && locked.hash !== hash)
    throw mismatch(text, "files have", { expected: locked.hash, found: hash });
  const { environment, currentDirectory } = frontEnd;
  const packages = await installPackages(folder, { environment, currentDirectory, signal, locked: locked?.packages });
  const { directory, manifest } = await readAdded(folder, frontEnd, signal);
  for (const name of manifest.missing) {
    const text = `its code imports ${name}, which its package.json does not name; what needs it will fail`;
    frontEnd.onNotice({ type: "warning", text });
  }
  const power = powerOf(directory, manifest);
  if (locked !== undefined && locked.trust !== power.hash) throw mismatch(text, "power has", { expected: locked.trust, found: power.hash }); // biome-ignore format: short
  const known = { source: text, origin, hash, trust: power.hash, ...(packages !== undefined && { packages }) };
  return { folder, locked: known, version: versionOf(known), leftOut, directory, manifest, power };
}

/** Reads an agent that is to be added. Rejects with `DirectoryError` if it has mistakes, or breaks a rule for agents that are added. */
export async function readAdded(folder: string, frontEnd: FrontEnd, signal: AbortSignal): Promise<AddedAgent> {
  const directory = await readRunnable(realPathOrSame(folder), frontEnd);
  const manifest = await readPower(directory);
  const { environment, currentDirectory } = frontEnd;
  const problems = await problemsOfAdded(directory, manifest, { environment, currentDirectory, signal });
  const [first, ...others] = problems;
  if (first === undefined) return { directory, manifest };
  for (const text of others) frontEnd.onNotice({ type: "warning", text });
  throw new DirectoryError("invalid", `the agent cannot be added: ${first}`);
}

const versionOf = ({ hash, packages }: LockedAgent): string =>
  packages === undefined ? hash.replace("sha256:", "") : sha256(`${hash}\n${packages.join("\n")}`);

function mismatch(
  source: string,
  what: string,
  { expected, found }: { readonly expected: string; readonly found: string },
): DirectoryError {
  return new DirectoryError("lock", `${source} is not what the lock file names: its ${what} the hash ${found}, not ${expected}`); // biome-ignore format: short
}

/** The origin as people read it, such as `1a2b3c4d5e6f`. */
export function originText(origin: Origin): string {
  switch (origin.type) {
    case "git":
      return origin.commit.slice(0, 12);
    case "npm":
      return origin.version;
    case "oci":
      return origin.digest.slice(0, 19);
    case "archive":
      return origin.integrity.slice(0, 19);
    case "folder":
      return "";
  }
}
