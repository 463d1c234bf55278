import { mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, isRecord, jsonValue, sha256 } from "@mdx-ai/base";
import { isRunning, processBirth, readWholeFile } from "@mdx-ai/base/disk";
import { keepFolder, underLock } from "./run-folder.ts";

/** The note of a process of this program while it runs commands in an agent directory. */
export interface AbsenceMarker {
  /** The path of the note. Absolute. */
  readonly path: string;
  /** Absolute and real. */
  readonly agentDir: string;
  /** Whether that process still runs. */
  readonly isLive: boolean;
  /** Receives the files that its commands create among the paths. Absolute and real. */
  readonly asideDir: string;
  /** Protected paths that were absent when its commands began, relative to the agent directory. */
  readonly paths: readonly string[];
}

/**
 * The markers of all processes that run commands in an agent directory, in the folder that the user's sandboxes share. A marker
 * is a line of JSON, and the paths with a null character behind each, which a shell can read.
 */
export class AbsenceMarkers {
  /** Absolute and real. */
  readonly agentDir: string;
  /** The lock under which markers change and paths are set aside. */
  readonly lock: string;
  /** The marker of this process. */
  readonly own: string;
  readonly #folder: string;
  readonly #prefix: string;
  readonly #made: string;

  /** `folder` is that of `runFolder`. Throws the file system's error. */
  constructor(agentDir: string, folder: string) {
    this.agentDir = realpathSync.native(agentDir);
    this.#folder = folder;
    // Other versions of this program must find the same name.
    const name = sha256(this.agentDir);
    this.#prefix = `${name}.held-`;
    this.lock = join(folder, `${name}.lock`);
    this.#made = join(folder, `${name}.made`);
    this.own = join(folder, `${this.#prefix}${process.pid}-${crypto.randomUUID()}`);
  }

  /** A folder for files set aside if the agent keeps no data. Throws the file system's error. */
  asideDir(): string {
    const path = this.lock.replace(/lock$/, "set-aside");
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return realpathSync.native(path);
  }

  /** Throws what the work throws, or the file system's error. */
  underLock<Result>(work: () => Result): Result {
    keepFolder(this.#folder);
    return underLock(this.lock, work);
  }

  /** Writes the marker of this process. */
  write(asideDir: string, paths: readonly string[]): void {
    const header = JSON.stringify({
      ...{ pid: process.pid, birth: processBirth(process.pid) },
      ...{ agentDir: this.agentDir, asideDir },
    });
    writeFileSync(this.own, `${header}\n${paths.map((path) => `${path}\0`).join("")}`, { mode: 0o600 });
  }

  /** Notes, for workspaces that are not searched before each command, that a file which commands must not change was made. Never throws. */
  noteMade(): void {
    attempt(() => writeFileSync(this.#made, crypto.randomUUID(), { mode: 0o600 }));
  }

  /** Another text since the last `noteMade`. Never throws. */
  lastMade(): string | undefined {
    return attempt(() => readWholeFile(this.#made).toString("utf8"));
  }

  /** All markers. Never throws: a marker that cannot be read is none. */
  all(): readonly AbsenceMarker[] {
    const names = attempt(() => readdirSync(this.#folder)) ?? [];
    const markers = names.filter((name) => name.startsWith(this.#prefix)).map((name) => join(this.#folder, name));
    return markers.flatMap((path) => readMarker(path) ?? []);
  }

  /** Never throws. */
  remove(path: string): void {
    attempt(() => rmSync(path, { force: true }));
  }
}

/** Whether a file of the folder that all sandboxes of the user share is a marker, by its name. */
export const isMarker = (name: string): boolean => /^[\da-f]{64}\.held-/.test(name);

/** Undefined if the note cannot be read. */
export function readMarker(path: string): AbsenceMarker | undefined {
  const text = attempt(() => readWholeFile(path).toString("utf8")) ?? "";
  const end = text.indexOf("\n");
  const header = jsonValue(text.slice(0, end));
  if (!isRecord(header)) return undefined;
  const { pid, birth, agentDir, asideDir } = header;
  if (typeof pid !== "number" || typeof agentDir !== "string" || typeof asideDir !== "string") return undefined;
  return {
    path,
    isLive: isRunning(pid, typeof birth === "string" ? birth : undefined),
    ...{ agentDir, asideDir },
    paths: text
      .slice(end + 1)
      .split("\0")
      .slice(0, -1),
  };
}
