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
const format = "mdx-ai definition 18";

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

/** The content of a cache file: the entry with its hash. */
export function cacheText(entry: CacheEntry): string {
  const json = JSON.stringify(entry);
  return `{"sha256":"${sha256(json)}","entry":${json}}`;
}

/** The entry of a cache file; undefined if a byte of it is not as it was written. */
export function readCacheEntry(text: string): CacheEntry | undefined {
  const [, hash, json = ""] = /^\{"sha256":"([0-9a-f]{64})","entry":(.*)\}$/s.exec(text) ?? [];
  if (hash === undefined || hash !== sha256(json)) return undefined;
  const entry: unknown = JSON.parse(json);
  return isCacheEntry(entry) ? entry : undefined;
}

/** A file of this name with this hash was written by this version of the program, so its parts need no check. */
function isCacheEntry(value: unknown): value is CacheEntry {
  return isRecord(value) && isRecord(value["definition"]);
}
