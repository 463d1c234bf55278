import { delimiter, isAbsolute } from "node:path";
import type { Environment } from "@mdx-ai/models";
import { attempt } from "../attempt.ts";
import { isWithin, realPlaceOrSame } from "./real-place.ts";

export interface ProgramSearch {
  /** The variables of the user. */
  readonly environment: Environment;
  /** Folders whose programs are not the user's own, such as the agent directory. Absolute. */
  readonly outside: readonly string[];
}

const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/**
 * The path of a program that mdx-ai itself starts: the first on an absolute entry of PATH that neither lies nor leads, through
 * symbolic links, into one of the folders or the current one. Undefined if there is none. Never throws.
 */
export function findProgram(name: string, { environment, outside }: ProgramSearch): string | undefined {
  const current = attempt(() => process.cwd()) ?? "/";
  // Nothing is outside the whole file system.
  const folders = [current, ...outside].map(realPlaceOrSame).filter((folder) => folder !== "/");
  const isOutside = (path: string): boolean => !folders.some((folder) => isWithin(folder, realPlaceOrSame(path)));
  const entries = (environment["PATH"] ?? DEFAULT_PATH).split(delimiter).filter(isAbsolute);
  return entries
    .flatMap((entry) => (isOutside(entry) ? (Bun.which(name, { PATH: entry }) ?? []) : []))
    .find((program) => isOutside(program));
}
