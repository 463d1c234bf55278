import { statSync } from "node:fs";
import { resolve } from "node:path";
import { attempt } from "@mdx-ai/base";
import type { McpServerDefinition } from "@mdx-ai/parser";

export interface RootsPlace {
  /** Base of relative paths. Absolute. */
  readonly baseDir: string;
  /** What a server without `roots` gets. Absolute. */
  readonly standard: readonly string[];
}

/**
 * The folders that a server receives as its roots, absolute. Its variables are resolved. A server whose arguments name folders gets none
 * unless it declares some: many servers let roots replace the folders that they were started with.
 */
export function rootsFor(
  { roots, args = [], cwd = "." }: McpServerDefinition,
  { baseDir, standard }: RootsPlace,
): readonly string[] {
  if (roots === "off") return [];
  if (roots !== undefined) return roots.map((path) => resolve(baseDir, path));
  const folder = resolve(baseDir, cwd);
  // Also `--root=/data`.
  const named = args.flatMap((text) => [text, text.slice(text.indexOf("=") + 1)]);
  return named.some((text) => text !== "" && isFolder(resolve(folder, text))) ? [] : standard;
}

const isFolder = (path: string): boolean => attempt(() => statSync(path))?.isDirectory() === true;
