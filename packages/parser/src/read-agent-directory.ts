import { resolve } from "node:path";
import type { AgentFile, AgentFiles } from "./agent-files.ts";
import type { CacheEntry } from "./cache-entry.ts";
import { DefinitionCache } from "./definition-cache.ts";
import { readAgentFiles, readSource } from "./read-agent-files.ts";
import type { AgentDirectory } from "./types/agent-definition.ts";
import type { DefinedWithinTime } from "./within-time/define-within-time.ts";

/** How an agent directory is read. */
export interface ReadAgentDirectoryOptions {
  /** The folder in which parsed definitions are cached, by content, program version and Bun version; nothing is cached without it. */
  readonly cacheDirectory?: string;
  /** Receives each text as it was read, with its path relative to the directory. Must not throw. */
  readonly onText?: (file: string, text: string) => void;
}

/**
 * Reads and parses an agent directory. Never rejects: what is missing, unreadable or wrong becomes a diagnostic. The result is
 * frozen, with all that it holds. The parser is loaded only if the cache has no entry for the files; a cache that cannot be
 * read or written is ignored.
 */
export async function readAgentDirectory(
  path: string,
  options: ReadAgentDirectoryOptions = {},
): Promise<AgentDirectory> {
  const directory = resolve(path);
  const files = readAgentFiles(directory);
  report([files.agent, files.heartbeat, ...files.skills], options);
  const cache = options.cacheDirectory === undefined ? undefined : new DefinitionCache(options.cacheDirectory);
  const cached = cache?.read(files);
  const { entry, mayCache } = cached === undefined ? await parse(files) : { entry: cached, mayCache: false };
  if (mayCache) cache?.write(files, entry);
  const { definition, diagnostics } = await completed(entry, directory, options);
  return deepFreeze({ path: directory, definition, diagnostics });
}

/** The files that tools name with `src` are read each time: cached texts of them could be stale. */
async function completed(
  entry: CacheEntry,
  directory: string,
  options: ReadAgentDirectoryOptions,
): Promise<Omit<CacheEntry, "sources">> {
  if (entry.sources.length === 0) return entry;
  const paths = [...new Set(entry.sources.map(({ path }) => path))];
  const files = paths.map((path) => readSource(directory, path));
  report(files, options);
  const { withSources } = await import("./with-sources.ts");
  return withSources(entry, files);
}

function report(files: readonly (AgentFile | undefined)[], { onText }: ReadAgentDirectoryOptions): void {
  for (const file of files) if (file?.text !== undefined) onText?.(file.path, file.text);
}

async function parse(files: AgentFiles): Promise<DefinedWithinTime> {
  const { defineWithinTime } = await import("./within-time/define-within-time.ts");
  return defineWithinTime(files);
}

/** Freezes plain data and all that it holds, and returns it. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
