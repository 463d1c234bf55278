import { resolve } from "node:path";
import { attempt, isList, isRecord, isText, sha256, sorted, sortedJson, sourceLayout } from "@mdx-ai/base";
import { isNewer, newerText } from "@mdx-ai/base/disk";
import type { AgentDirectory, AgentSettings, PermissionAction } from "@mdx-ai/parser";
import { DirectoryError } from "../../directory-error.ts";
import { jsonText } from "../../text.ts";
import { type ManifestSkillTool, type ManifestTool, shownRules } from "../manifest.ts";
import { isLockedServer, type ManifestServer } from "../manifest-server.ts";
import { readManifest } from "../read-manifest.ts";
import { SourceBudget } from "../source-budget.ts";

/** The version of the format. */
const LOCK_VERSION = 1;

/** A tool in a lock file. */
interface LockedTool extends Omit<ManifestTool, "name" | "environment" | "isImporting"> {
  readonly env: readonly string[];
}

/**
 * `agent.lock.json`: what an agent is and may do, for review as text. It contains no times and no paths of a machine. All
 * names are sorted, except permissions, whose order matters.
 */
export interface LockDocument {
  readonly version: typeof LOCK_VERSION;
  readonly name: string;
  /** Hash of the persona. */
  readonly prose: string;
  readonly tools: Readonly<Record<string, LockedTool>>;
  /** Hash of the compiled prose, if it contains code. */
  readonly program?: string;
  /** Hashes of all files that execute or decide what executes, by path; a path outside the directory begins with "../". */
  readonly files: Readonly<Record<string, string>>;
  /** Hashes of imported packages, by names such as `left-pad@1.3.0`. */
  readonly packages: Readonly<Record<string, string>>;
  /** Patterns, each with its action. */
  readonly permissions: readonly (readonly [pattern: string, action: PermissionAction])[];
  readonly sandbox?: AgentSettings["sandbox"];
  /** By name; that of a skill's server begins with `skill `. Secrets that were written into a server are hashes. */
  readonly mcp?: Readonly<Record<string, Omit<ManifestServer, "name">>>;
  /** The tools of skills; absent if there are none. */
  readonly skillTools?: readonly ManifestSkillTool[];
  /** Hashes of the texts of the skills. */
  readonly skills: Readonly<Record<string, string>>;
  /** Hash of the content of heartbeat.md. */
  readonly heartbeat?: string;
  /** All other settings. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The content of the lock file for the current state of a directory. Runs no code. Rejects with `DirectoryError` ("too_large"). */
export async function makeLock(directory: AgentDirectory): Promise<LockDocument> {
  const { tools, program, files, packages, servers, skillTools } = await readManifest(directory);
  const { identity, skills, heartbeat, settings: all } = directory.definition;
  const { permissions, sandbox, ...others } = all;
  return {
    version: LOCK_VERSION,
    name: identity.name,
    prose: sha256(sortedJson(identity)),
    tools: byName(tools.map((tool) => [tool.name, lockedTool(tool)])),
    ...(program !== undefined && { program }),
    files: byName(files.map(({ path, hash }) => [path, hash])),
    packages: byName(packages.map(({ name, hash }) => [name, hash])),
    permissions: shownRules(permissions ?? {}).map(({ pattern, action }) => [pattern, action]),
    ...(sandbox !== undefined && { sandbox }),
    ...(servers.length > 0 && { mcp: byName(servers.map(lockedServer)) }),
    ...(skillTools.length > 0 && { skillTools }),
    skills: byName(skills.map(({ name, path }) => [name, textHash(resolve(directory.path, path))])),
    ...(heartbeat !== undefined && { heartbeat: sha256(sortedJson(heartbeat)) }),
    settings: byName(Object.entries(withoutServers(others))),
  };
}

/** Settings without the servers, which have an entry of their own. */
function withoutServers({ mcp: _mcp, memory, ...settings }: Partial<AgentSettings>): Partial<AgentSettings> {
  if (typeof memory !== "object") return memory === undefined ? settings : { ...settings, memory };
  const { store, ...others } = memory;
  return { ...settings, memory: typeof store === "string" ? { ...others, store } : others };
}

/** A skill's server is known by the skill: another server may have its name. */
const lockedServer = ({ name, ...server }: ManifestServer): [string, Omit<ManifestServer, "name">] => [
  server.skill === undefined ? name : `skill ${server.skill}`,
  server,
];

/** The servers of a lock file. */
export const serversOfLock = ({ mcp = {} }: Pick<LockDocument, "mcp">): readonly ManifestServer[] =>
  Object.entries(mcp).map(([name, server]) => ({ ...server, name: server.skill ?? name }));

function lockedTool({ environment, isImporting: _own, name: _name, ...tool }: ManifestTool): LockedTool {
  return { ...tool, env: environment };
}

/** An object with own members, sorted by name. */
function byName<Value>(entries: readonly (readonly [string, Value])[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : Number(one > other))));
}

function textHash(file: string): string {
  const bytes = new SourceBudget().read(file);
  return bytes === undefined ? "unreadable" : sha256(bytes);
}

/** The text of the lock file; equal documents give equal texts. */
export const lockText = (lock: LockDocument): string => `${jsonText(sorted(lock), 2)}\n`;

/** The name of a directory's lock file. */
export const LOCK_FILE: string = sourceLayout("").lockFile;

/** Reads a lock file. Throws `DirectoryError` if it is missing, broken, of a newer version or too large. */
export function readLock(file: string): LockDocument {
  const text = readText(file);
  const value: unknown = attempt(() => JSON.parse(text));
  if (isLockDocument(value)) return value;
  if (isRecord(value) && isNewer(value["version"], LOCK_VERSION)) {
    throw new DirectoryError("lock", `${newerText(file)}, or write a new one with mdx-ai lock`);
  }
  const what = value === undefined ? "JSON" : "a lock file";
  throw new DirectoryError("lock", `${file} is not ${what}; write a new one with mdx-ai lock`);
}

function readText(file: string): string {
  const bytes = new SourceBudget(LIMITS).read(file);
  if (bytes === undefined) throw new DirectoryError("lock", `cannot read ${file}; write it with mdx-ai lock`);
  return Buffer.from(bytes).toString();
}

/** More than any directory within its limits needs. */
const LIMITS = { files: 1, megabytes: 64 };

function isLockDocument(value: unknown): value is LockDocument {
  if (!isRecord(value) || value["version"] !== LOCK_VERSION) return false;
  const { name, prose, tools, files, packages, permissions, sandbox, mcp, skills, settings } = value;
  const hasHashes = [files, packages, skills].every((hashes) => isRecordOf(hashes, isText));
  const hasServers = mcp === undefined || isRecordOf(mcp, isLockedServer);
  const hasPowers = isRecordOf(tools, isLockedTool) && isList(permissions, isRule) && hasServers;
  const { skillTools = [] } = value;
  const isWhole = hasHashes && hasPowers && isList(skillTools, isSkillTool);
  return isText(name) && isText(prose) && isWhole && isSandbox(sandbox) && isRecord(settings);
}

function isLockedTool(value: unknown): value is LockedTool {
  if (!isRecord(value)) return false;
  const { description, code, schema, env, network, files, permission } = value;
  const isListed = isTextList(env) && (network === undefined || isTextList(network));
  const isDecided = permission === undefined || PERMISSION_ACTIONS.includes(permission);
  const isReaching =
    files === undefined || (isRecord(files) && isTextList(files["read"]) && isTextList(files["write"]));
  return isText(description) && isText(code) && isRecord(schema) && isListed && isDecided && isReaching;
}

function isSkillTool(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { skill, name, entrypoint, schema, grpc = "", proto = "" } = value;
  return [skill, name, entrypoint, grpc, proto].every(isText) && isRecord(schema);
}

const PERMISSION_ACTIONS: readonly unknown[] = ["allow", "ask", "deny"];
const MODES: readonly unknown[] = [undefined, "auto", "required", "off"];

const isRule = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && isText(value[0]) && PERMISSION_ACTIONS.includes(value[1]);

function isSandbox(value: unknown): boolean {
  if (!isRecord(value)) return MODES.includes(value);
  const { mode, network } = value;
  return MODES.includes(mode) && (network === undefined || network === "all" || isTextList(network));
}

const isTextList = (value: unknown): boolean => isList(value, isText);

const isRecordOf = (value: unknown, accepts: (inner: unknown) => boolean): boolean =>
  isRecord(value) && Object.values(value).every(accepts);
