import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode, failureOf } from "@mdx-ai/base";
import { draftName } from "@mdx-ai/base/disk";
import type { PackageFile } from "./package-files.ts";
import { sourceError } from "./source.ts";

/**
 * Writes files with safe names to a new folder, absolute, that appears complete or not at all. Rejects with `DirectoryError` ("source"), also
 * if there is something already.
 */
export async function writeFiles(into: string, files: readonly PackageFile[]): Promise<void> {
  if (existsSync(into)) throw sourceError(`${into} exists already`);
  const draft = join(dirname(into), draftName(`.${basename(into)}`));
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
