import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { lstat, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord, sha256 } from "@mdx-ai/base";
import manifest from "../package.json" with { type: "json" };
import type { SkillFiles } from "./agent-files.ts";
import type { DiagnosedDefinition } from "./types/agent-definition.ts";
import type { Parsed } from "./types/diagnostic.ts";
import type { SkillDefinition } from "./types/skill-definition.ts";

/**
 * Parsed definitions in a folder that other processes may use at the same time, one file each. A file's time of change is
 * that of its last use. A cache that cannot be read or written costs time, no more: nothing here throws.
 */
export class DefinitionCache<Files extends SkillFiles, Entry> {
  readonly #folder: string;
  readonly #isEntry: (value: unknown) => value is Entry;

  constructor(folder: string, isEntry: (value: unknown) => value is Entry) {
    this.#folder = folder;
    this.#isEntry = isEntry;
  }

  /** The entry for these files, marked as used; undefined if there is no readable one. */
  read(files: Files): Entry | undefined {
    const path = this.#pathOf(files);
    try {
      const entry = readCacheEntry(readFileSync(path, "utf8"), this.#isEntry);
      if (entry !== undefined) markUsed(path);
      return entry;
    } catch {
      return undefined;
    }
  }

  /** Stores an entry. At most once a day this also starts to prune the folder. */
  write(files: Files, entry: Entry): void {
    const path = this.#pathOf(files);
    const draft = `${path}.${crypto.randomUUID()}.tmp`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      // Renamed, so that no reader sees half of it.
      writeFileSync(draft, cacheText(entry), { mode: 0o600 });
      renameSync(draft, path);
    } catch {
      removeDraft(draft);
      return;
    }
    // Nothing waits for it: this may be on the way to an agent's first request. What fails, the next one does.
    void pruneDaily(this.#folder, Date.now()).catch(() => {});
  }

  #pathOf(files: Files): string {
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

function markUsed(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // It is pruned earlier then.
  }
}

/** What made an entry. */
export interface CacheMaker {
  /** Of mdx-ai. */
  readonly version: string;
  /** The version of Bun, which checks and compiles code. */
  readonly bun: string;
}

/** Counts up with each change of the parser's results between two versions of the program. */
const format = "mdx-ai definition cache 5";

const thisProgram: CacheMaker = { version: manifest.version, bun: Bun.version };

/** The name of the cache file for these files: a hash of what made it and of every name and content. */
export function cacheFileName(files: SkillFiles, { version, bun }: CacheMaker = thisProgram): string {
  const key = JSON.stringify([format, version, bun, files]);
  return `${sha256(key)}.json`;
}

/** Whether a name is that of a cache file, or of one that is being written; undefined for any other name. */
function cacheFileKind(name: string): "entry" | "draft" | undefined {
  if (/^[0-9a-f]{64}\.json$/.test(name)) return "entry";
  return /^[0-9a-f]{64}\.json\.[0-9a-f-]{36}\.tmp$/.test(name) ? "draft" : undefined;
}

/** The content of a cache file: the entry with its hash. */
export function cacheText(entry: unknown): string {
  const json = JSON.stringify(entry);
  return `{"sha256":"${sha256(json)}","entry":${json}}`;
}

/** The entry of a cache file; undefined if a byte of it is not as it was written. */
export function readCacheEntry<Entry>(text: string, isEntry: (value: unknown) => value is Entry): Entry | undefined {
  const [, hash, json = ""] = /^\{"sha256":"([0-9a-f]{64})","entry":(.*)\}$/s.exec(text) ?? [];
  if (hash === undefined || hash !== sha256(json)) return undefined;
  const entry: unknown = JSON.parse(json);
  return isEntry(entry) ? entry : undefined;
}

/** A file of this name with this hash was written by this version of the program, so its parts need no check. */
export function isDefinition(value: unknown): value is DiagnosedDefinition {
  return isRecord(value) && isRecord(value["definition"]) && Array.isArray(value["models"]);
}

/** The same for the skills of other folders, which are cached on their own. */
export function isSkills(value: unknown): value is Parsed<readonly SkillDefinition[]> {
  return isRecord(value) && Array.isArray(value["definition"]) && Array.isArray(value["diagnostics"]);
}

const millisecondsOfDay = 24 * 60 * 60 * 1000;

/** What a cache folder holds at most after it was pruned. */
const MAX_ENTRIES = 500;
const MAX_DAYS_UNUSED = 30;

/** Its time of change says when the folder was last pruned. */
const marker = "last-pruned";

/** Prunes the folder unless that was done within a day of `now`. Processes that start at the same moment may both do so, which is harmless. */
export async function pruneDaily(folder: string, now: number): Promise<void> {
  const path = join(folder, marker);
  const last = await modificationTime(path);
  if (last !== undefined && Math.abs(now - last) < millisecondsOfDay) return;
  if (last === undefined) await writeFile(path, "", { flag: "wx", mode: 0o600 });
  else await utimes(path, new Date(now), new Date(now));
  await pruneDefinitions(folder, now);
}

/**
 * Removes entries that were not used for 30 days, and of the others all but the 500 that were used last; drafts that are
 * older than a day, left by a crash, are removed too. Other files stay. `now` is in milliseconds of the epoch.
 */
export async function pruneDefinitions(folder: string, now: number): Promise<void> {
  const entries: { readonly path: string; readonly used: number }[] = [];
  for (const name of await readdir(folder)) {
    const kind = cacheFileKind(name);
    if (kind === undefined) continue;
    const path = join(folder, name);
    const used = await modificationTime(path);
    if (used === undefined) continue;
    const maxDays = kind === "draft" ? 1 : MAX_DAYS_UNUSED;
    if (now - used > maxDays * millisecondsOfDay) await remove(path);
    else if (kind === "entry") entries.push({ path, used });
  }
  const surplus = entries.sort((one, other) => other.used - one.used).slice(MAX_ENTRIES);
  for (const { path } of surplus) await remove(path);
}

/** Undefined if it is not a regular file, or was removed meanwhile. */
async function modificationTime(path: string): Promise<number | undefined> {
  try {
    const stats = await lstat(path);
    return stats.isFile() ? stats.mtimeMs : undefined;
  } catch {
    return undefined;
  }
}

/** Another process may have removed it. */
async function remove(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => {});
}
