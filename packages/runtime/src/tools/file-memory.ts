import { fstatSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { sweepDraftsOfFiles } from "../files/drafts.ts";
import { readOwnFile } from "../files/read-file.ts";
import { Turns } from "../turns.ts";
import { FileToolError } from "./permitted-file.ts";

/** Sessions and files of each that are remembered; the oldest are forgotten. */
const MOST_SESSIONS = 200;
const MOST_FILES = 2_000;
/** Bytes; a larger file is compared by its size and time alone. */
const MOST_COMPARED = 8 * 1024 * 1024;

export type ContentHash = number | bigint;

/** The hash of a whole content, by which it is compared; undefined if it is too large. */
export const contentHash = (bytes: Uint8Array): ContentHash | undefined =>
  bytes.length <= MOST_COMPARED ? Bun.hash(bytes) : undefined;

/** What a session knows of the content of a file. */
interface KnownContent {
  /** Absent if only a part was read. */
  readonly hash?: ContentHash;
  /** Of the file's size, time and identity. */
  readonly version: string;
}

/**
 * What sessions have read and written last, so that a change by others is not overwritten unknowingly. Nothing is known of a
 * session before this process, and of a file that it has not read.
 */
export class FileMemory {
  readonly #sessions = new Map<string, Map<string, KnownContent>>();
  readonly #turns = new Map<string, { readonly turns: Turns; users: number }>();
  readonly #swept = new Set<string>();

  /** Remembers the current content of a file, whose hash is given if it is known as a whole. */
  remember(session: string, path: string, descriptor: number, hash?: ContentHash): void {
    const files = this.#sessions.get(session) ?? new Map<string, KnownContent>();
    this.#sessions.delete(session);
    this.#sessions.set(session, files);
    files.delete(path);
    const version = versionOf(descriptor);
    files.set(path, { version, ...(hash !== undefined && { hash }) });
    forgetOldest(files, MOST_FILES);
    forgetOldest(this.#sessions, MOST_SESSIONS);
  }

  /** As `remember`, for the file that has just been written at `opened`, another path of `path`. Never throws. */
  rememberWritten(session: string, path: string, opened: string, hash: ContentHash | undefined): void {
    try {
      readOwnFile(opened, (descriptor) => this.remember(session, path, descriptor, hash));
    } catch {
      // Another program has removed it: it is unknown then.
      this.#sessions.get(session)?.delete(path);
    }
  }

  /** Throws `FileToolError` if a file at `opened`, another path of `path`, is not what the session read or wrote last. */
  refuseChanged(session: string, path: string, opened: string): void {
    const known = this.#sessions.get(session)?.get(path);
    if (known === undefined || !hasChanged(known, opened)) return;
    throw new FileToolError(
      `${JSON.stringify(path)} has changed since you last read or wrote it: read it again before you change it`,
    );
  }

  /**
   * Removes what killed processes left beside a file at `opened`, another path of `path`, when they were about to write; once in each folder.
   * Never throws.
   */
  sweepBeside(path: string, opened: string): void {
    const folder = dirname(path);
    if (this.#swept.has(folder)) return;
    this.#swept.add(folder);
    sweepDraftsOfFiles(dirname(opened));
  }

  /** Runs work on a file when no other work on it runs. Rejects as `work` does. */
  async alone<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    const entry = this.#turns.get(path) ?? { turns: new Turns(), users: 0 };
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

function hasChanged({ hash, version }: KnownContent, path: string): boolean {
  return readOwnFile(path, (descriptor) => {
    if (version === versionOf(descriptor)) return false;
    if (hash === undefined || fstatSync(descriptor).size > MOST_COMPARED) return true;
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
