import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { attempt } from "@mdx-ai/base";
import { DirectoryError } from "../directory-error.ts";

/** Limits for reading a directory. */
export interface SourceLimits {
  /** Files read plus names listed. */
  readonly files: number;
  readonly megabytes: number;
}

const LIMITS: SourceLimits = { files: 20_000, megabytes: 200 };
const MEGABYTE = 1024 * 1024;
const CHUNK = 64 * 1024;

/** Reads files within limits, so that a large directory does not block the user. */
export class SourceBudget {
  readonly #limits: SourceLimits;
  #files = 0;
  #names = 0;
  #bytes = 0;

  constructor(limits: SourceLimits = LIMITS) {
    this.#limits = limits;
  }

  /**
   * The bytes of a regular file; undefined if it is missing or unreadable, so that it cannot be executed. Throws
   * `DirectoryError` ("too_large").
   */
  read(path: string): Uint8Array | undefined {
    const descriptor = openRegular(path);
    if (descriptor === undefined) return undefined;
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) return undefined;
      this.#spendFile(path);
      this.#spend(path, stats.size);
      return stats.size > 0 ? readFileSync(descriptor) : this.#readOn(path, descriptor);
    } catch (error) {
      if (error instanceof DirectoryError) throw error;
      return undefined;
    } finally {
      closeSync(descriptor);
    }
  }

  /** Counts a name in a folder. Throws `DirectoryError` ("too_large"). */
  look(path: string): void {
    this.#names++;
    if (this.#names > this.#limits.files) this.#fail(path, "files");
  }

  /** A file of size 0 may be endless, as in /proc. */
  #readOn(path: string, descriptor: number): Uint8Array {
    const chunks: Uint8Array[] = [];
    for (;;) {
      const chunk = new Uint8Array(CHUNK);
      const count = readSync(descriptor, chunk);
      if (count === 0) return Buffer.concat(chunks);
      this.#spend(path, count);
      chunks.push(chunk.subarray(0, count));
    }
  }

  #spendFile(path: string): void {
    this.#files++;
    if (this.#files > this.#limits.files) this.#fail(path, "files");
  }

  #spend(path: string, bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.megabytes * MEGABYTE) this.#fail(path, "megabytes");
  }

  #fail(path: string, unit: keyof SourceLimits): never {
    const limit = `${this.#limits[unit].toLocaleString("en")} ${unit}`;
    const message = `the agent can execute more than ${limit}, too much to review`;
    throw new DirectoryError("too_large", `${message}; the last was ${path}`);
  }
}

/** The first bytes of a regular file, one character each; "" if it is missing or unreadable. */
export function startOf(path: string, length: number): string {
  const descriptor = openRegular(path);
  if (descriptor === undefined) return "";
  try {
    if (!fstatSync(descriptor).isFile()) return "";
    const start = Buffer.alloc(length);
    return start.toString("latin1", 0, readSync(descriptor, start));
  } catch {
    return "";
  } finally {
    closeSync(descriptor);
  }
}

/** Opens a file without blocking on a pipe. */
const openRegular = (path: string): number | undefined =>
  attempt(() => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
