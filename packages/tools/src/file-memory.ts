import { fstatSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { contentHash, KeyedSemaphore } from "@mdx-ai/base";
import { readPrivateFile, removeTempFilesIn } from "@mdx-ai/base/disk";
import type { FileKeeper, SeenContent } from "@mdx-ai/loop";
import { FileToolError } from "@mdx-ai/permissions";

/** The most sessions, and files of each, that are remembered; the oldest are forgotten. */
const MAX_SESSIONS = 200;
const MAX_FILES = 2_000;
/** The largest file that is compared by content, in bytes; larger files are compared by size and time. */
const MAX_COMPARED = 8 * 1024 * 1024;

/** A session, and the store that keeps its knowledge for later processes, if any. */
export interface FileSession {
  readonly sessionId: string;
  readonly keeper?: Pick<FileKeeper, "saw" | "seen"> | undefined;
}

/** The files that a session knows, oldest first. */
interface KnownFiles {
  readonly byPath: Map<string, SeenContent>;
  /** Whether the knowledge of earlier processes is included. */
  isWhole: boolean;
}

/**
 * Records what sessions last read and wrote, so that a change by another program is not overwritten by mistake. A file that a
 * session has not read is unknown.
 */
export class FileMemory {
  readonly #sessions = new Map<string, KnownFiles>();
  readonly #turns = new KeyedSemaphore();
  readonly #swept = new Set<string>();

  /** Records the content of a file that was read, with its hash if the whole content is known. */
  remember(session: FileSession, path: string, descriptor: number, hash?: string): void {
    const seen = { path, version: versionOf(descriptor), ...(hash !== undefined && { hash }) };
    const before = this.#note(session, seen);
    if (before?.version !== seen.version || before.hash !== seen.hash) session.keeper?.saw(seen);
  }

  /** Returns the earlier record. */
  #note({ sessionId }: FileSession, seen: SeenContent): SeenContent | undefined {
    const known = this.#sessions.get(sessionId) ?? { byPath: new Map<string, SeenContent>(), isWhole: false };
    this.#know(sessionId, known);
    const before = known.byPath.get(seen.path);
    known.byPath.delete(seen.path);
    known.byPath.set(seen.path, seen);
    forgetOldest(known.byPath, MAX_FILES);
    return before;
  }

  /** Records the file that was just written at `opened`, another path of `path`; the session's store has it already. Never throws. */
  rememberWritten(session: FileSession, path: string, opened: string, hash: string): void {
    try {
      readPrivateFile(opened, (file) => this.#note(session, { path, version: versionOf(file), hash }));
    } catch {
      // Another program has removed it, so it is unknown.
      this.#sessions.get(session.sessionId)?.byPath.delete(path);
    }
  }

  /** Throws `FileToolError` if a file at `opened`, another path of `path`, differs from what the session last read or wrote. */
  refuseChanged(session: FileSession, path: string, opened: string): void {
    const known = this.#known(session).get(path);
    if (known === undefined || !hasChanged(known, opened)) return;
    throw new FileToolError(
      `${JSON.stringify(path)} has changed since you last read or wrote it: read it again before you change it`,
    );
  }

  /** What a session knows, including the knowledge of earlier processes. */
  #known({ sessionId, keeper }: FileSession): ReadonlyMap<string, SeenContent> {
    const known = this.#sessions.get(sessionId);
    if (known?.isWhole) return known.byPath;
    const all = [...(keeper?.seen() ?? []), ...(known?.byPath ?? [])];
    const byPath = new Map(all.slice(-MAX_FILES));
    this.#know(sessionId, { byPath, isWhole: true });
    return byPath;
  }

  /** Forgets what a session knows, after an undo of its prompts. The store's knowledge counts from now on. */
  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  #know(sessionId: string, known: KnownFiles): void {
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, known);
    forgetOldest(this.#sessions, MAX_SESSIONS);
  }

  /**
   * Removes temporary files that killed processes left beside a file at `opened`, another path of `path`; once per folder. Never
   * throws.
   */
  sweepBeside(path: string, opened: string): void {
    const folder = dirname(path);
    if (this.#swept.has(folder)) return;
    this.#swept.add(folder);
    removeTempFilesIn(dirname(opened));
  }

  /** Runs work on a file when no other work on it is running. Rejects as `work` does. */
  alone<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(path, work);
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
