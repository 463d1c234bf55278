import { delimiter, isAbsolute, resolve } from "node:path";
import type { Environment } from "@mdx-ai/models";

const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/**
 * The path of a program: relative to a folder if its name holds a slash, else the first on an absolute entry of PATH. Undefined if there
 * is none that can be run.
 */
export function findCommand(name: string, folder: string, environment: Environment): string | undefined {
  if (name.includes("/")) return Bun.which(resolve(folder, name)) ?? undefined;
  for (const entry of (environment["PATH"] ?? DEFAULT_PATH).split(delimiter).filter(isAbsolute)) {
    const path = Bun.which(name, { PATH: entry });
    if (path !== null) return path;
  }
  return undefined;
}
