import { resolve } from "node:path";
import { isRecord, type JsonValue, jsonValue, sha256, sortedJson, sourceLayout } from "@mdx-ai/base";
import { isNewer, newerText } from "@mdx-ai/base/disk";
import { type AgentDirectory, type AgentSettings, parametersSchema, type ToolDefinition } from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import { costEntries } from "./cost-entries.ts";
import { type Entry, entriesText, entryOfAgent, readEntries } from "./manifest.ts";
import { readManifest } from "./read-manifest.ts";
import { SourceBudget } from "./source-budget.ts";

export { type Change, changeLine, difference, type Grade, longValues, needsReview } from "./difference.ts";
export type { Entry } from "./manifest.ts";

/** The version of the format. */
const LOCK_VERSION = 1;

/**
 * The entries of a lock file for the current state of an agent: its manifest, and notes on properties that grant nothing. Contains no times and no
 * machine-specific paths. Runs no code. Rejects with `DirectoryError` ("too_large").
 */
export async function lockEntries(directory: AgentDirectory): Promise<readonly Entry[]> {
  const { entries, agents } = await readManifest(directory);
  const ofAgents = [...agents.values()].flatMap(({ directory: agent }) =>
    notes(agent).map((entry) => entryOfAgent(agent.definition.identity.name, entry)),
  );
  return [...entries, ...notes(directory), ...ofAgents];
}

function notes({ path, definition }: AgentDirectory): readonly Entry[] {
  const { identity, skills, settings, tools } = definition;
  return [
    ...tools.flatMap(toolNotes),
    ...skills.flatMap((skill) => note("skill", textHash(resolve(path, skill.path)), skill.name)),
    ...Object.entries(otherSettings(settings)).flatMap(([name, value]) => note("setting", value, name)),
    ...costEntries(settings),
    ...note("name", identity.name),
    ...note("prose", sha256(sortedJson(identity))),
  ];
}

function toolNotes(tool: ToolDefinition): readonly Entry[] {
  const of = (aspect: string, value: unknown): readonly Entry[] => note("tool", value, tool.name, aspect);
  return [
    ...of("description", tool.description),
    ...of("schema", parametersSchema(tool)),
    ...of("timeout", tool.timeout),
    ...of("src", tool.code.file),
  ];
}

function note(kind: string, given: unknown, item?: string, aspect?: string): readonly Entry[] {
  if (given === undefined) return [];
  const value: JsonValue = JSON.parse(sortedJson(given));
  return [
    { kind, ...(item !== undefined && { item }), ...(aspect !== undefined && { aspect }), effect: "notes", value },
  ];
}

/** Settings without an entry of their own. */
function otherSettings(all: AgentSettings): Partial<AgentSettings> {
  const { permissions, sandbox, builtins, tools, mode, workspace, self_edit, mcp, memory, model, limits, ...settings } =
    all;
  if (typeof memory !== "object") return memory === undefined ? settings : { ...settings, memory };
  const { store, model: _model, ...others } = memory;
  return { ...settings, memory: typeof store === "string" ? { ...others, store } : others };
}

function textHash(file: string): string {
  const bytes = new SourceBudget().read(file);
  return bytes === undefined ? "unreadable" : sha256(bytes);
}

/** The text of a lock file, one entry per line. Equal states give equal texts. */
export const lockText = (entries: readonly Entry[]): string =>
  `{"version": ${LOCK_VERSION}, "entries": [\n${entriesText(entries)}\n]}\n`;

/** The name of a directory's lock file. */
export const LOCK_FILE: string = sourceLayout("").lockFile;

/** Reads a lock file. Throws `DirectoryError` if it is missing, broken, of a newer version or too large. */
export function readLock(file: string): readonly Entry[] {
  const text = readText(file);
  const value: unknown = jsonValue(text);
  const entries = isRecord(value) && value["version"] === LOCK_VERSION ? readEntries(value["entries"]) : undefined;
  if (entries !== undefined) return entries;
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

/** Larger than the lock file of any directory within the limits. */
const LIMITS = { files: 1, megabytes: 64 };
