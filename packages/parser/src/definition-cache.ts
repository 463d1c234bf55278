import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentFiles } from "./agent-files.ts";
import { type CacheEntry, cacheFileName, cacheText, readCacheEntry } from "./cache-entry.ts";

/**
 * Parsed definitions in a folder that other processes may use at the same time, one file each. A file's time of change is
 * that of its last use. A cache that cannot be read or written costs time, no more: nothing here throws.
 */
export class DefinitionCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The entry for these files, marked as used; undefined if there is no readable one. */
  read(files: AgentFiles): CacheEntry | undefined {
    const path = this.#pathOf(files);
    try {
      const entry = readCacheEntry(readFileSync(path, "utf8"));
      if (entry !== undefined) markUsed(path);
      return entry;
    } catch {
      return undefined;
    }
  }

  /** Stores an entry. At most once a day this also starts to prune the folder. */
  write(files: AgentFiles, entry: CacheEntry): void {
    const path = this.#pathOf(files);
    const draft = `${path}.${crypto.randomUUID()}.tmp`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      // Renamed, so that nobody reads half of it.
      writeFileSync(draft, cacheText(entry), { mode: 0o600 });
      renameSync(draft, path);
    } catch {
      removeDraft(draft);
      return;
    }
    // Nothing waits for it: this may be on the way to an agent's first request.
    void prune(this.#folder);
  }

  #pathOf(files: AgentFiles): string {
    return join(this.#folder, cacheFileName(files));
  }
}

/** Never throws: if the folder is no folder, there is no draft. */
function removeDraft(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Pruned after a day.
  }
}

async function prune(folder: string): Promise<void> {
  try {
    const { pruneDaily } = await import("./prune-definitions.ts");
    await pruneDaily(folder, Date.now());
  } catch {
    // The next one does it.
  }
}

function markUsed(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // It is pruned earlier then.
  }
}
