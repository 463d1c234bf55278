import { fstatSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { contentHash, Semaphore } from "@mdx-ai/base";
import { readPrivateFile, removeTempFilesIn } from "@mdx-ai/base/disk";
import type { FileKeeper, SeenContent } from "@mdx-ai/loop";
import { FileToolError } from "@mdx-ai/permissions";

/** Sessions and files of each that are remembered; the oldest are forgotten. */
const MAX_SESSIONS = 200;
const MAX_FILES = 2_000;
/** Bytes; a larger file is compared by its size and time alone. */
const MAX_COMPARED = 8 * 1024 * 1024;

/** A session, and what keeps its knowledge for later processes; absent if nothing does. */
export interface FileSession {
  readonly sessionId: string;
  readonly keeper?: Pick<FileKeeper, "saw" | "seen"> | undefined;
}

/** What a session knows of files, the oldest first. */
interface KnownFiles {
  readonly byPath: Map<string, SeenContent>;
  /** Whether what former processes have seen is among it. */
  isWhole: boolean;
}

/**
 * What sessions have read and written last, so that a change by others is not overwritten unknowingly. Nothing is known of a file that
 * a session has not read.
 */
export class FileMemory {
  readonly #sessions = new Map<string, KnownFiles>();
  readonly #turns = new Map<string, { readonly turns: Semaphore; users: number }>();
  readonly #swept = new Set<string>();

  /** Remembers the content of a file that was read, whose hash is given if it is known as a whole. */
  remember(session: FileSession, path: string, descriptor: number, hash?: string): void {
    const seen = { path, version: versionOf(descriptor), ...(hash !== undefined && { hash }) };
    const before = this.#note(session, seen);
    if (before?.version !== seen.version || before.hash !== seen.hash) session.keeper?.saw(seen);
  }

  /** Returns what was known before. */
  #note({ sessionId }: FileSession, seen: SeenContent): SeenContent | undefined {
    const known = this.#sessions.get(sessionId) ?? { byPath: new Map<string, SeenContent>(), isWhole: false };
    this.#know(sessionId, known);
    const before = known.byPath.get(seen.path);
    known.byPath.delete(seen.path);
    known.byPath.set(seen.path, seen);
    forgetOldest(known.byPath, MAX_FILES);
    return before;
  }

  /** Remembers the file that has just been written at `opened`, another path of `path`; its keeper has it. Never throws. */
  rememberWritten(session: FileSession, path: string, opened: string, hash: string): void {
    try {
      readPrivateFile(opened, (file) => this.#note(session, { path, version: versionOf(file), hash }));
    } catch {
      // Another program has removed it: it is unknown then.
      this.#sessions.get(session.sessionId)?.byPath.delete(path);
    }
  }

  /** Throws `FileToolError` if a file at `opened`, another path of `path`, is not what the session read or wrote last. */
  refuseChanged(session: FileSession, path: string, opened: string): void {
    const known = this.#known(session).get(path);
    if (known === undefined || !hasChanged(known, opened)) return;
    throw new FileToolError(
      `${JSON.stringify(path)} has changed since you last read or wrote it: read it again before you change it`,
    );
  }

  /** What a session knows, with what former processes have seen. */
  #known({ sessionId, keeper }: FileSession): ReadonlyMap<string, SeenContent> {
    const known = this.#sessions.get(sessionId);
    if (known?.isWhole) return known.byPath;
    const all = [...(keeper?.seen() ?? []), ...(known?.byPath ?? [])];
    const byPath = new Map(all.slice(-MAX_FILES));
    this.#know(sessionId, { byPath, isWhole: true });
    return byPath;
  }

  /** Forgets what a session knows: prompts of it were taken back. What its keeper still has counts from now on. */
  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  #know(sessionId: string, known: KnownFiles): void {
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, known);
    forgetOldest(this.#sessions, MAX_SESSIONS);
  }

  /**
   * Removes what killed processes left beside a file at `opened`, another path of `path`, when they were about to write; once in each folder.
   * Never throws.
   */
  sweepBeside(path: string, opened: string): void {
    const folder = dirname(path);
    if (this.#swept.has(folder)) return;
    this.#swept.add(folder);
    removeTempFilesIn(dirname(opened));
  }

  /** Runs work on a file when no other work on it runs. Rejects as `work` does. */
  async alone<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    const entry = this.#turns.get(path) ?? { turns: new Semaphore(), users: 0 };
    this.#turns.set(path, entry);
    entry.users += 1;
    try {
      return await entry.turns.run(work);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.#turns.delete(path);
    }
  }
}

function hasChanged({ hash, version }: SeenContent, path: string): boolean {
  return readPrivateFile(path, (descriptor) => {
    if (version === versionOf(descriptor)) return false;
    if (hash === undefined || fstatSync(descriptor).size > MAX_COMPARED) return true;
    return contentHash(readFileSync(descriptor)) !== hash;
  });
}

function versionOf(descriptor: number): string {
  const { dev, ino, size, mtimeNs } = fstatSync(descriptor, { bigint: true });
  return `${dev} ${ino} ${size} ${mtimeNs}`;
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
