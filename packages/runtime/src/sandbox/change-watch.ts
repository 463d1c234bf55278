import { type FSWatcher, watch } from "node:fs";
import { dataLayout } from "../layout.ts";

/** Milliseconds for which changes are gathered. */
const GATHERED = 20;

/** Hears of files that come, go or are replaced in an agent directory and its state/: what protected them protects no longer. */
export class ChangeWatch {
  readonly #watchers: readonly FSWatcher[];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Where the system watches nothing, nothing is heard. */
  constructor(agentDir: string, onChange: () => void) {
    const hear = (): void => {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        onChange();
      }, GATHERED).unref();
    };
    this.#watchers = [agentDir, dataLayout(agentDir).state].flatMap((folder) => watcherOf(folder, hear));
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
  }
}

function watcherOf(folder: string, hear: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, (type) => type === "rename" && hear());
    return [watcher.on("error", () => watcher.close())];
  } catch {
    // Processes are then renewed when they are next asked for.
    return [];
  }
}
