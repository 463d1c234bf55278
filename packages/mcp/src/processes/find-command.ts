import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, resolve } from "node:path";
import type { Environment } from "@mdx-ai/models";
import { isWithin } from "@mdx-ai/parser/is-within";

const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

export interface CommandPlace {
  /** Of relative paths. Absolute. */
  readonly baseDir: string;
  /** Folders that commands of a model may write. Absolute. */
  readonly written: readonly string[];
  readonly environment: Environment;
}

/**
 * The path of a program: relative to a folder if its name holds a slash, else the first on an absolute entry of PATH that
 * neither lies nor leads into the folders in which commands write. Undefined if there is none that can be run.
 */
export function findCommand(name: string, { baseDir: folder, written, environment }: CommandPlace): string | undefined {
  if (name.includes("/")) return Bun.which(resolve(folder, name)) ?? undefined;
  for (const entry of (environment["PATH"] ?? DEFAULT_PATH).split(delimiter).filter(isAbsolute)) {
    const path = Bun.which(name, { PATH: entry });
    if (path !== null && !written.some((one) => isWithin(real(one), real(path)) || isWithin(real(one), real(entry))))
      return path;
  }
  return undefined;
}

function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
