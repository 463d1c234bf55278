import { mkdirSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { errorCode, isRecord, isText, jsonValue } from "@mdx-ai/base";
import { isNewer, newerText, replaceFileSync } from "@mdx-ai/base/disk";
import { DirectoryError } from "../directory-error.ts";
import { isAgentName, type Shelf } from "../installed-agents.ts";
import type { Origin } from "../sources/index.ts";

/** An agent as `agents.lock.json` names it: enough to install the same files again, or to fail. */
export interface LockedAgent {
  /** As its user wrote it; a folder or an archive by its absolute path, which is relative in the file of a project. */
  readonly source: string;
  readonly origin: Origin;
  /** `sha256:…` of its files. */
  readonly hash: string;
  /** `sha256:…` of everything that can execute or grants something: what its user agreed to. */
  readonly trust: string;
  /** The lock file of the packages that it imports, as lines of text; absent if there are none, or if the agent has one. */
  readonly packages?: readonly string[];
}

export type LockedAgents = ReadonlyMap<string, LockedAgent>;

const LOCK_VERSION = 1;

type LockPlace = Pick<Shelf, "lockFile" | "scope">;

/** Reads a lock file. Empty if it does not exist. Throws `DirectoryError` ("lock") if it is broken or of a newer version. */
export function readAgentsLock({ lockFile: file, scope }: LockPlace): LockedAgents {
  const text = textOf(file);
  if (text === undefined) return new Map();
  const value: unknown = jsonValue(text);
  if (isRecord(value) && isNewer(value["version"], LOCK_VERSION)) throw new DirectoryError("lock", newerText(file));
  const agents = isRecord(value) && value["version"] === LOCK_VERSION ? value["agents"] : undefined;
  if (!isRecord(agents))
    throw new DirectoryError(
      "lock",
      `${file} is not a lock file of agents; correct it, or remove it and add the agents again`,
    );
  const locked = Object.entries(agents).map(([name, agent]) => [name, lockedAgent(name, agent, file)] as const);
  if (scope === "user") return new Map(locked);
  const isRelative = (source: string): boolean => /^\.{1,2}\//.test(source);
  return new Map(locked.map(([name, agent]) => [name, isRelative(agent.source) ? { ...agent, source: resolve(dirname(file), agent.source) } : agent])); // biome-ignore format: short
}

function lockedAgent(name: string, value: unknown, file: string): LockedAgent {
  const agent = isAgentName(name) ? readLocked(value) : undefined;
  if (agent !== undefined) return agent;
  throw new DirectoryError(
    "lock",
    `${file}: the entry ${JSON.stringify(name)} is broken; remove it from the file, and add the agent again`,
  );
}

/** An agent as `writtenAgent` gives it; undefined if it is broken. */
export function readLocked(value: unknown): LockedAgent | undefined {
  if (!isRecord(value)) return undefined;
  const { source, hash, trust, packages } = value;
  const origin = originOf(value);
  if (!isText(source) || !isHash(hash) || !isHash(trust) || origin === undefined) return undefined;
  if (packages !== undefined && !isTexts(packages)) return undefined;
  return { source, origin, hash, trust, ...(packages !== undefined && { packages }) };
}

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

const isHash = (value: unknown): value is string => isText(value) && /^sha256:[0-9a-f]{64}$/.test(value);

function originOf({ commit, version, integrity, digest }: Readonly<Record<string, unknown>>): Origin | undefined {
  if (isText(commit)) return { type: "git", commit };
  if (isText(digest)) return { type: "oci", digest };
  if (isText(version) && isText(integrity)) return { type: "npm", version, integrity };
  if (isText(integrity)) return { type: "archive", integrity };
  const isNone = [commit, version, integrity, digest].every((part) => part === undefined);
  return isNone ? { type: "folder" } : undefined;
}

/** An agent as it is in files: its origin's parts beside the others. */
export function writtenAgent({ source, origin, hash, trust, packages }: LockedAgent): object {
  const { type: _type, ...parts } = origin;
  return { source, ...parts, hash, trust, ...(packages !== undefined && { packages }) };
}

/** Writes a lock file, sorted by name. Throws the file system's error. */
export function writeAgentsLock({ lockFile: file, scope }: LockPlace, agents: LockedAgents): void {
  mkdirSync(dirname(file), { recursive: true });
  const sorted = [...agents].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const written = Object.fromEntries(
    sorted.map(([name, agent]) => [name, writtenAgent(scope === "project" ? inProject(agent, dirname(file)) : agent)]),
  );
  replaceFileSync({ path: file, text: `${JSON.stringify({ version: LOCK_VERSION, agents: written }, undefined, 2)}\n`, mode: 0o644 }); // biome-ignore format: short
}

/** A project may be in another folder on another machine. */
function inProject(agent: LockedAgent, root: string): LockedAgent {
  if (!isAbsolute(agent.source)) return agent;
  const path = relative(root, agent.source);
  return { ...agent, source: path.startsWith("../") ? path : `./${path}` };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new DirectoryError("lock", `cannot read ${file} (${errorCode(error) ?? String(error)})`, { cause: error });
  }
}
