import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode, failureOf } from "@mdx-ai/base";
import { draftName, removeTempFiles } from "@mdx-ai/base/disk";
import type { PackageFile } from "./package-files.ts";
import { sourceError } from "./source.ts";

/** How many characters of a folder's name its temporary name repeats. */
const KEPT_NAME = 100;

/**
 * Writes files with safe names to a new folder, absolute, that appears complete or not at all. Rejects with `DirectoryError` ("source"), also
 * if there is something already. What a killed process left of the same folder is removed.
 */
export async function writeFiles(into: string, files: readonly PackageFile[]): Promise<void> {
  if (existsSync(into)) throw sourceError(`${into} exists already`);
  const name = basename(into).slice(0, KEPT_NAME);
  // The name of a folder that is itself temporary keeps its beginning, by which what is left of it is found.
  const prefix = name.startsWith(".") ? name : `.${name}`;
  removeTempFiles(dirname(into), `${prefix}.`);
  const draft = join(dirname(into), draftName(prefix));
  try {
    mkdirSync(draft, { recursive: true });
    for (const { path, bytes, isExecutable } of files) {
      const file = join(draft, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes, { flag: "wx", mode: isExecutable ? 0o755 : 0o644 });
    }
    renameSync(draft, into);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (errorCode(error) === undefined) throw error;
    throw sourceError(failureOf(`cannot write ${into}`, error), error);
  }
}
