import { type FSWatcher, watch } from "node:fs";
import { dataLayout } from "../layout.ts";

/** Milliseconds for which changes are collected before they are reported. */
const COLLECT_MILLISECONDS = 20;

/** Watches for files that are created, removed or replaced in an agent directory and its state/: existing mounts do not protect those. */
export class ChangeWatch {
  readonly #watchers: readonly FSWatcher[];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Reports nothing if the system cannot watch files. */
  constructor(agentDir: string, onChange: () => void) {
    const report = (): void => {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        onChange();
      }, COLLECT_MILLISECONDS).unref();
    };
    this.#watchers = [agentDir, dataLayout(agentDir).state].flatMap((folder) => watcherOf(folder, report));
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
  }
}

function watcherOf(folder: string, report: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, (type) => type === "rename" && report());
    return [watcher.on("error", () => watcher.close())];
  } catch {
    // Processes are then replaced at their next call.
    return [];
  }
}
