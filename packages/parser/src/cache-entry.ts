import type { AgentFiles } from "./agent-files.ts";
import { isRecord } from "./record.ts";
import type { ToolSource } from "./tool-source.ts";
import type { AgentDefinition } from "./types/agent-definition.ts";
import type { Diagnostic } from "./types/diagnostic.ts";

/** What is kept of a parsed agent directory; never the text of a file that a tool's `src` names. */
export interface CacheEntry {
  /** The code of tools with a `src` is empty. */
  readonly definition: AgentDefinition;
  /** The files that those name, to be read each time. */
  readonly sources: readonly ToolSource[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Counts up whenever the parser gives something else for the same files, so that older entries are not found. */
const format = "mdx-ai definition 8";

/** The name of the cache file for these files: a hash of the format and of every name and content. */
export function cacheFileName(files: AgentFiles): string {
  return `${new Bun.CryptoHasher("sha256").update(JSON.stringify([format, files])).digest("hex")}.json`;
}

/** Narrows what a cache file holds; undefined where it is broken. */
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
