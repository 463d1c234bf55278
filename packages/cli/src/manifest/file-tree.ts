import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { SourceBudget } from "./source-budget.ts";

/**
 * All files below a folder, as absolute paths, but for installed packages; links to folders are followed, none of them twice.
 * Nothing where there is no such folder. Throws `ManifestLimitError`.
 */
export function filesBelow(folder: string, budget: SourceBudget): readonly string[] {
  const files: string[] = [];
  const linked = new Set<string>();
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of list(next) ?? []) {
      const path = join(next, entry.name);
      budget.look(path);
      if (entry.name === "node_modules") continue;
      if (entry.isDirectory() || (entry.isSymbolicLink() && isNewFolder(path, linked))) waiting.push(path);
      else files.push(path);
    }
  }
  return files;
}

function list(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

/** Whether a link leads to a folder that none before led to; only links can lead in a circle. */
function isNewFolder(link: string, linked: Set<string>): boolean {
  if (list(link) === undefined) return false;
  const real = realpathSync.native(link);
  const isNew = !linked.has(real);
  linked.add(real);
  return isNew;
}
