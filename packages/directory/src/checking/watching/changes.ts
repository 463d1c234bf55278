import { type BigIntStats, type FSWatcher, statSync, watch } from "node:fs";
import { attempt, errorCode } from "@mdx-ai/base";

/** Milliseconds to wait after a first change, since editors write in several steps. */
const PAUSE_MILLISECONDS = 60;

/** Waits for changes of a set of files that may differ from wait to wait. */
export class Changes {
  readonly #watch = new FolderWatch(() => this.#wake.resolve());
  #wake = Promise.withResolvers<void>();

  /**
   * Resolves to true when the files no longer match `print`, an earlier result of `filesPrint`. Resolves
   * to false when `signal` fires.
   */
  async next({ print, paths, folders, signal }: Wait): Promise<boolean> {
    const stop = (): void => this.#wake.resolve();
    signal.addEventListener("abort", stop, { once: true });
    this.#wake = Promise.withResolvers();
    this.#watch.follow(folders);
    while (!signal.aborted && filesPrint(paths) === print) {
      await this.#wake.promise;
      this.#wake = Promise.withResolvers();
      if (!signal.aborted) await Bun.sleep(PAUSE_MILLISECONDS);
    }
    signal.removeEventListener("abort", stop);
    return !signal.aborted;
  }

  close(): void {
    this.#watch.close();
  }
}

export interface Wait {
  readonly print: string;
  readonly paths: readonly string[];
  readonly folders: readonly string[];
  readonly signal: AbortSignal;
}

/** A text that changes whenever one of the files is written, replaced, removed or created. */
export const filesPrint = (paths: readonly string[]): string => paths.map((path) => filePrint(path)).join("\n");

/** Whether a file was written after a time, in milliseconds since 1970. */
export const changedSince = (paths: readonly string[], time: number): boolean =>
  paths.some((path) => Number(statsOf(path)?.mtimeMs ?? 0) > time);

function filePrint(path: string): string {
  const stats = statsOf(path);
  if (stats === undefined) return `${path} -`;
  // The time of a folder changes when an entry is added or removed.
  return [path, stats.ino, stats.mtimeNs, stats.isDirectory() ? "" : stats.size].join(" ");
}

/** An unreachable file counts as missing. */
const statsOf = (path: string): BigIntStats | undefined => attempt(() => statSync(path, { bigint: true }));

/** The errors for a missing folder. */
const ABSENT: readonly unknown[] = ["ENOENT", "ENOTDIR"];

/** The polling interval if the system does not report changes. */
const LOOK_MILLISECONDS = 1_000;

/** Calls back when something may have changed in one of several folders. */
class FolderWatch {
  readonly #onChange: () => void;
  #watchers: readonly FSWatcher[] = [];
  #looking: ReturnType<typeof setInterval> | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Watches these folders from now on; missing ones are skipped. */
  follow(folders: readonly string[]): void {
    this.close();
    this.#watchers = folders.flatMap((folder) => this.#watch(folder) ?? []);
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
    clearInterval(this.#looking);
    this.#watchers = [];
    this.#looking = undefined;
  }

  #watch(folder: string): FSWatcher | undefined {
    try {
      const watcher = watch(folder, () => this.#onChange());
      watcher.on("error", () => this.#look());
      return watcher;
    } catch (error) {
      if (!ABSENT.includes(errorCode(error))) this.#look();
      return undefined;
    }
  }

  /** The fallback if the system has no watches left, or none for this file system. */
  #look(): void {
    this.#looking ??= setInterval(this.#onChange, LOOK_MILLISECONDS);
  }
}
