import { filesPrint } from "./file-print.ts";
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
