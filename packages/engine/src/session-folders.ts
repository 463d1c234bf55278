import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dataLayout } from "@mdx-ai/base";
import { type JournalLine, sessionFolder, titleSession, UnknownSessionError } from "@mdx-ai/sessions";
import type { SessionInfo } from "./protocol.ts";

/** The part of a session that a view has. */
interface Viewed {
  readonly key: string;
  /** The number of the next chunk of lines. */
  readonly next: number;
  readonly title: string | undefined;
}

/** How many folders stay. */
const MAX_FOLDERS = 1_000;

/**
 * Sessions of the engine as folders of a data directory, which every reader of sessions reads. One process writes a view; it only grows by what
 * the engine has.
 */
export class SessionFolders {
  /** The data directory. Absolute. */
  readonly directory: string;
  /** In the order of last use. */
  readonly #viewed = new Map<string, Viewed>();
  readonly #limit: number;

  constructor(directory: string, limit: number = MAX_FOLDERS) {
    this.directory = directory;
    this.#limit = limit;
  }

  /** Removes the folders that were not used for longest, beyond the limit. Call it before a use, not between a use and its reading. */
  trim(): void {
    for (const id of [...this.#viewed.keys()].slice(0, Math.max(0, this.#viewed.size - this.#limit))) this.remove(id);
  }

  /** Whether a folder has all lines before a chunk, and this title. It counts as used. */
  has(id: string, { key, title }: SessionInfo, next: number): boolean {
    const viewed = this.#viewed.get(id);
    if (viewed?.key !== key || viewed.next !== next || viewed.title !== title) return false;
    this.#viewed.delete(id);
    this.#viewed.set(id, viewed);
    return true;
  }

  /** The number of the first chunk that a folder lacks. */
  nextOf(id: string, { key }: SessionInfo): number {
    const viewed = this.#viewed.get(id);
    return viewed?.key === key ? viewed.next : 0;
  }

  /** Adds lines to the folder of a session, and makes the folder if it is new. Throws the file system's error. */
  add(
    id: string,
    info: SessionInfo,
    { next, lines }: { readonly next: number; readonly lines: readonly JournalLine[] },
  ): void {
    const { key, title } = info;
    const folder = this.#folder(id);
    const before = this.#viewed.get(id);
    if (before?.key !== key) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, "id"), `${key}\n`, { mode: 0o600 });
    }
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    if (text !== "") appendFileSync(join(folder, "journal.jsonl"), text, { mode: 0o600 });
    if (title !== before?.title) titleSession(this.directory, id, title ?? "");
    this.#viewed.delete(id);
    this.#viewed.set(id, { key, next, title });
  }

  /** Removes the folder of a session that the engine does not have. */
  remove(id: string): void {
    this.#viewed.delete(id);
    rmSync(this.#folder(id), { recursive: true, force: true });
  }

  /** The ids of the folders. */
  get ids(): readonly string[] {
    return [...this.#viewed.keys()];
  }

  /** Throws `UnknownSessionError` if there is no folder. */
  require(id: string): void {
    if (!this.#viewed.has(id)) throw new UnknownSessionError(id);
    sessionFolder(this.directory, id);
  }

  #folder(id: string): string {
    return join(dataLayout(this.directory).sessions, id);
  }
}
