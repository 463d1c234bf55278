import { type BigIntStats, statSync } from "node:fs";
import { FolderWatch } from "./folder-watch.ts";

/** Editors write in several steps; after the first one waits so long for the rest. */
const PAUSE_MILLISECONDS = 60;

/** Waits for changes of files whose number changes from one wait to the next. */
export class Changes {
  readonly #watch = new FolderWatch(() => this.#wake.resolve());
  #wake = Promise.withResolvers<void>();

  /**
   * Resolves when one of the files is no longer what `print` says, which `filesPrint` gave. What changed between then and
   * now counts, too. Resolves with false when `signal` fires.
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

/** What changes when one of the files does: a file that is replaced, written, removed or made. */
export const filesPrint = (paths: readonly string[]): string => paths.map((path) => filePrint(path)).join("\n");

/** Whether one of them was written after a time in milliseconds of the epoch, as far as the file system tells. */
export const changedSince = (paths: readonly string[], time: number): boolean =>
  paths.some((path) => Number(statsOf(path)?.mtimeMs ?? 0) > time);

function filePrint(path: string): string {
  const stats = statsOf(path);
  if (stats === undefined) return `${path} -`;
  // The times of a folder say what was put into it or taken out.
  return [path, stats.ino, stats.mtimeNs, stats.isDirectory() ? "" : stats.size].join(" ");
}

function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // Not reachable is as good as not there.
    return undefined;
  }
}
