import { type FSWatcher, watch } from "node:fs";

/** How often the files are looked at where the system does not tell of changes. */
const LOOK_MILLISECONDS = 1_000;

/** Tells that something may have happened in one of many folders. */
export class FolderWatch {
  readonly #onChange: () => void;
  #watchers: readonly FSWatcher[] = [];
  #looking: ReturnType<typeof setInterval> | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** From now on of these folders; one that is not there is passed over. */
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

  /** Where the system has no more watches to give, or none for this file system. */
  #look(): void {
    this.#looking ??= setInterval(this.#onChange, LOOK_MILLISECONDS);
  }
}
