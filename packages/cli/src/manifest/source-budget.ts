import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { ManifestLimitError } from "../failures/manifest-limit-error.ts";

const LARGEST_COUNT = 20_000;
const LARGEST_BYTES = 200 * 1024 * 1024;

/** Reads files as long as they are few and small enough, so that no directory keeps its user waiting without end. */
export class SourceBudget {
  #files = 0;
  #bytes = 0;

  /**
   * The bytes of a regular file; undefined where there is none, or none that can be read, which then cannot be executed
   * either. Throws `ManifestLimitError`.
   */
  read(path: string): Uint8Array | undefined {
    const descriptor = openRegular(path);
    if (descriptor === undefined) return undefined;
    try {
      const { size, isRegular } = look(descriptor);
      if (!isRegular) return undefined;
      this.count(path);
      this.#bytes += size;
      if (this.#bytes > LARGEST_BYTES) throw new ManifestLimitError(path, "200 MB");
      return readFileSync(descriptor);
    } catch (error) {
      if (error instanceof ManifestLimitError) throw error;
      return undefined;
    } finally {
      closeSync(descriptor);
    }
  }

  /** Counts something that was looked at. Throws `ManifestLimitError`. */
  count(path: string): void {
    this.#files++;
    if (this.#files > LARGEST_COUNT) throw new ManifestLimitError(path, `${LARGEST_COUNT.toLocaleString("en")} files`);
  }
}

/** A pipe in the place of a file would keep an ordinary opening waiting. */
function openRegular(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
}

function look(descriptor: number): { readonly size: number; readonly isRegular: boolean } {
  const stats = fstatSync(descriptor);
  return { size: stats.size, isRegular: stats.isFile() };
}
