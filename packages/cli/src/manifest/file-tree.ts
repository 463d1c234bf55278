import { readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SourceBudget } from "./source-budget.ts";

/**
 * All files below a folder, as absolute paths, but for installed packages; links are followed, none in a circle. Nothing
 * where there is no such folder. Throws `ManifestLimitError`.
 */
export function filesBelow(folder: string, budget: SourceBudget): readonly string[] {
  const files: string[] = [];
  const visited = new Set<string>();
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const real = realFolder(next);
    if (real === undefined || visited.has(real)) continue;
    visited.add(real);
    for (const name of readdirSync(next)) {
      const path = join(next, name);
      budget.look(path);
      if (name === "node_modules") continue;
      if (isFolder(path)) waiting.push(path);
      else files.push(path);
    }
  }
  return files;
}

/** Undefined for what is no folder that can be listed. */
function realFolder(path: string): string | undefined {
  try {
    readdirSync(path);
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
