import manifest from "../package.json" with { type: "json" };
import type { AgentFiles } from "./agent-files.ts";
import { sha256 } from "./fingerprint.ts";
import { isRecord } from "./record.ts";
import type { AgentDefinition } from "./types/agent-definition.ts";
import type { Diagnostic } from "./types/diagnostic.ts";
import type { ToolSource } from "./types/tool-definition.ts";

/** A cached agent directory, without the texts of files that tools name with `src`. */
export interface CacheEntry {
  /** The code of tools with a `src` is empty. */
  readonly definition: AgentDefinition;
  /** The files that those name, to be read each time. */
  readonly sources: readonly ToolSource[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What made an entry. */
export interface CacheMaker {
  /** Of mdx-ai. */
  readonly version: string;
  /** The version of Bun, which checks and compiles code. */
  readonly bun: string;
}

/** Counts up with each change of the parser's results between two versions of the program. */
const format = "mdx-ai definition 9";

const thisProgram: CacheMaker = { version: manifest.version, bun: Bun.version };

/** The name of the cache file for these files: a hash of what made it and of every name and content. */
export function cacheFileName(files: AgentFiles, { version, bun }: CacheMaker = thisProgram): string {
  const key = JSON.stringify([format, version, bun, files]);
  return `${sha256(key)}.json`;
}

/** Whether a name is that of a cache file, or of one that is being written; undefined for any other name. */
export function cacheFileKind(name: string): "entry" | "draft" | undefined {
  if (/^[0-9a-f]{64}\.json$/.test(name)) return "entry";
  return /^[0-9a-f]{64}\.json\.[0-9a-f-]{36}\.tmp$/.test(name) ? "draft" : undefined;
}

/** Validates the content of a cache file; undefined if it is broken. */
export function readCacheEntry(json: string): CacheEntry | undefined {
  try {
    const entry: unknown = JSON.parse(json);
    return isCacheEntry(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

function isCacheEntry(value: unknown): value is CacheEntry {
  if (!isRecord(value)) return false;
  const { definition, sources, diagnostics } = value;
  return isDefinition(definition) && isListOf(sources, isSource) && isListOf(diagnostics, isDiagnostic);
}

function isSource(value: unknown): boolean {
  return isRecord(value) && isText(value["path"]) && typeof value["line"] === "number";
}

function isDefinition(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { identity, settings, tools, skills, modules } = value;
  const hasLists = isListOf(tools, isTool) && isListOf(skills, isRecord) && isListOf(modules, isText);
  return isIdentity(identity) && isRecord(settings) && hasLists;
}

function isIdentity(value: unknown): boolean {
  return isRecord(value) && isText(value["name"]) && isText(value["purpose"]) && isListOf(value["sections"], isRecord);
}

function isTool(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { name, parameters, schema, examples, code } = value;
  const takes = isListOf(parameters, isRecord) && (schema === undefined || isRecord(schema));
  return isText(name) && takes && isListOf(examples, isRecord) && isRecord(code);
}

function isDiagnostic(value: unknown): boolean {
  return isRecord(value) && isText(value["rule"]) && isText(value["file"]) && typeof value["line"] === "number";
}

function isListOf(value: unknown, accepts: (inner: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(accepts);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
