import { cp, mkdir, mkdtemp, readdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { isLeftByRun } from "./example-copy.ts";

const ROOT = join(import.meta.dir, "../..");

/** What a copy does not need: history, what was built, and the installed packages, which are linked. */
const LEFT_OUT = /^(\.git|\.bun|dist|node_modules)$/;

/**
 * A copy of this repository to do harm to, with its packages installed, without the folders named. Workspace packages
 * resolve to those of the copy. The caller removes it.
 */
export async function copyRepository(...without: readonly string[]): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "mdx-ai-copy-"));
  await cp(ROOT, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => {
      const path = relative(ROOT, source);
      return !LEFT_OUT.test(path) && !without.includes(path) && !isLeftByRun(source);
    },
  });
  await linkPackages(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** Links are relative: those of workspace packages lead into the copy, those of others through the linked store. */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) {
    if (name === ".bun") await symlink(join(from, name), join(to, name));
    else await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
  }
}
