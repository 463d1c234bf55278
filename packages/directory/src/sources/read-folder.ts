import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, failureOf } from "@mdx-ai/base";
import { isLeftOut } from "./file-names.ts";
import {
  type FoundEntry,
  PACKAGE_LIMITS,
  type PackageFile,
  type PackageLimits,
  safeFiles,
  tooManyBytes,
  tooManyFiles,
} from "./package-files.ts";
import { sourceError } from "./source.ts";

/**
 * The files of an agent directory; absolute. Folders that are never part of an agent are not entered. Rejects with `DirectoryError`
 * ("source") if it is no agent directory, contains links or other special files, or is too large.
 */
export async function readFolder(
  folder: string,
  limits: PackageLimits = PACKAGE_LIMITS,
): Promise<readonly PackageFile[]> {
  const found = new FolderReader(folder, limits);
  try {
    await found.enter("");
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    const isMissing = ["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "");
    throw sourceError(isMissing ? `there is no folder ${folder}` : failureOf(`cannot read ${folder}`, error), error);
  }
  return safeFiles(found.entries, limits);
}

class FolderReader {
  readonly entries: FoundEntry[] = [];
  readonly #root: string;
  readonly #limits: PackageLimits;
  #bytes = 0;

  constructor(root: string, limits: PackageLimits) {
    this.#root = root;
    this.#limits = limits;
  }

  /** `folder` is relative to the root; "" or ends with "/". */
  async enter(folder: string): Promise<void> {
    const entries = await readdir(join(this.#root, folder), { withFileTypes: true });
    const isAgent = entries.some((entry) => entry.name === "agent.mdx" && entry.isFile());
    for (const entry of entries) {
      if (isLeftOut(entry.name, isAgent)) continue;
      await this.#add(`${folder}${entry.name}`, entry);
    }
  }

  async #add(path: string, entry: Dirent): Promise<void> {
    if (this.entries.length >= this.#limits.files) throw tooManyFiles(this.#limits.files);
    if (entry.isDirectory()) return await this.enter(`${path}/`);
    if (!entry.isFile()) {
      const what = entry.isSymbolicLink() ? "a symbolic link" : "neither a file nor a folder";
      return void this.entries.push({ type: "refused", path, what });
    }
    const file = join(this.#root, path);
    const { size, mode } = await stat(file);
    this.#bytes += size;
    if (this.#bytes > this.#limits.bytes) throw tooManyBytes(this.#limits.bytes);
    this.entries.push({ type: "file", path, bytes: await readFile(file), isExecutable: (mode & 0o100) !== 0 });
  }
}
