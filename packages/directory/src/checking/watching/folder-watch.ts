import { type FSWatcher, watch } from "node:fs";

/** How often to look at the files if the system does not report changes. */
const LOOK_MILLISECONDS = 1_000;

/** Calls back when something may have changed in one of several folders. */
export class FolderWatch {
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
      const isAbsent = error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code));
      if (!isAbsent) this.#look();
      return undefined;
    }
  }

  /** The fallback if the system has no more watches, or none for this file system. */
  #look(): void {
    this.#looking ??= setInterval(this.#onChange, LOOK_MILLISECONDS);
  }
}
