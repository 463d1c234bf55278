import { readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { importSources } from "./import-sources.ts";

/** One import, type-only and dynamic ones included. */
export interface Import {
  /** The importing file, relative to the repository. */
  readonly from: string;
  /** From 1. */
  readonly line: number;
  /** A file relative to the repository, a builtin such as `node:fs`, or what the import says where neither is found. */
  readonly to: string;
}

/** All imports of a TypeScript file. `file` is relative to `root`. */
export function importsOf(root: string, file: string): readonly Import[] {
  const text = readFileSync(join(root, file), "utf8");
  return importSources(file, text).map(({ value, start }) => ({
    from: file,
    line: text.slice(0, start).split("\n").length,
    to: target(value, { root, file }),
  }));
}

interface Place {
  readonly root: string;
  readonly file: string;
}

/** The type checker finds what cannot be resolved; a package of the house counts by its name all the same. */
function target(specifier: string, { root, file }: Place): string {
  if (specifier.startsWith(".")) return join(dirname(file), specifier);
  try {
    const path = Bun.resolveSync(specifier, join(root, dirname(file)));
    return path.startsWith("/") ? relative(realpathSync(root), realpathSync(path)) : path;
  } catch {
    return specifier.replace(/^@mdx-ai\//, "packages/");
  }
}
